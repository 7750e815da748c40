"""An agent with tools of its own asks the host before each call, and lets it read what the user types."""

import asyncio

import pisces
from pisces.events import SessionStart


async def approve(request: pisces.Request, questions: tuple[pisces.Verdict, ...]) -> bool:
    print(f"may this run? {request.exact}")
    return "rm " not in request.exact


async def main(cwd: str) -> None:
    async with pisces.Host.open(cwd, approve=approve) as host:
        await host.emit(SessionStart("startup"))
        for command in ("touch notes.txt", "rm -rf /"):
            judged = await host.judge(pisces.ToolCall("Bash", "call-1", {"command": command}))
            print(f"{command}: {judged.verdict.decision}, said {judged.verdict.who}")
        submitted = await host.submit("explain this project")
        print(submitted.prompt.text if submitted.prompt else submitted.blocked)


asyncio.run(main("."))
