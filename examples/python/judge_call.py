"""May this tool call go ahead? Gates of one's own decide, and what they leave open is asked."""

import asyncio

import pisces


def stays_here(request: pisces.ToolRequest) -> pisces.Verdict | None:
    if "git push" in request.exact:
        return pisces.Verdict.deny("nothing leaves this machine")
    return pisces.Verdict.allow("it only reads") if request.call.tool == "look" else None


async def main() -> None:
    rules = pisces.Gate("house rules", stays_here)
    async with pisces.Host.open(".", approve=lambda *_: False, gates=[rules]) as host:
        for tool, command in (("look", "README.md"), ("bash", "git push"), ("bash", "make")):
            judged = await host.judge(pisces.ToolCall(tool, "1", {"command": command}))
            verdict = judged.verdict
            print(f"{judged.request.exact}: {verdict.decision}, said {verdict.who}: {verdict.why}")


asyncio.run(main())
