"""May this tool call go ahead? Gates of one's own decide, and what they leave open is asked."""

import asyncio

import pisces


def only_reads(request: pisces.Request) -> pisces.Verdict | None:
    if not isinstance(request, pisces.ToolRequest):
        return None
    if "rm " in request.exact:
        return pisces.Verdict.deny("it removes files")
    return pisces.Verdict.allow("it only reads") if request.call.tool == "read" else None


gates = [pisces.Gate("house rules", only_reads)]
for tool, value in (("read", "README.md"), ("bash", "rm -rf /"), ("bash", "ls")):
    request = pisces.ToolRequest(pisces.ToolCall(tool, "1", {"what": value}))
    verdict = asyncio.run(pisces.judge(request, gates)).verdict
    print(f"{request.exact}: {verdict.decision}, said {verdict.who}: {verdict.why}")
