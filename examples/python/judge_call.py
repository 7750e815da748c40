"""May this tool call go ahead? Gates of one's own decide, and what they leave open is asked."""

import asyncio

import pisces


def only_reads(request: pisces.ToolRequest) -> pisces.Verdict | None:
    if "rm " in request.exact:
        return pisces.Verdict.deny("it removes files")
    return pisces.Verdict.allow("it only reads") if request.call.tool == "read" else None


async def main() -> None:
    rules = pisces.Gate("house rules", only_reads)
    async with pisces.Host.open(".", approve=lambda *_: False, gates=[rules], discover=False) as host:
        for tool, value in (("read", "README.md"), ("bash", "rm -rf /"), ("bash", "ls")):
            judged = await host.judge(pisces.ToolCall(tool, "1", {"what": value}))
            verdict = judged.verdict
            print(f"{judged.request.exact}: {verdict.decision}, said {verdict.who}: {verdict.why}")


asyncio.run(main())
