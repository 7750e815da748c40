"""An agent in forty lines, on a model that follows a script. Everything beside the model is `pisces.Host`."""

import asyncio
from pathlib import Path

import pisces
from pisces.events import SessionStart

HERE = Path(__file__).resolve().parent
SCRIPT: list[str | tuple[str, dict[str, str]]] = [
    ("Bash", {"command": "rm -rf /"}),
    ("Bash", {"command": "gp"}),
    ("Bash", {"command": "clean"}),
    ("activate_skill", {"name": "knots"}),
    "Your work is pushed, and the boat is tied with a bowline.",
]
SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
BASH = pisces.Tool("Bash", "Runs a command line", SCHEMA, lambda given, _ctx: f"(ran {given['command']})")


def approve(request: pisces.Request, questions: tuple[pisces.Verdict, ...]) -> bool:
    print(f"approved: {request.exact}, which {questions[0].who} wants to be asked about")
    return True


async def say(host: pisces.Host, line: str) -> None:
    submitted = await host.submit(line)
    if submitted.prompt is None:
        print(submitted.output.stdout.strip() if submitted.output else submitted.blocked)
        return
    for step in SCRIPT:  # a real agent asks its model here, with host.instructions and host.tools
        if isinstance(step, str):
            print(step)
        else:
            result = await host.call(*step)
            print(f"{step[0]} {'failed' if result.is_error else 'answered'}: {result.text.splitlines()[0]}")


async def main() -> None:
    packages, modules = [str(HERE / "guard"), str(HERE / "harbour")], [str(HERE / "shortcuts.py")]
    async with pisces.Host.open(".", approve, packages=packages, modules=modules, tools=[BASH]) as host:
        await host.emit(SessionStart())
        await say(host, "/tides Hamburg")
        await say(host, "push my work, and tie the boat")
        for each in host.audit.records():
            if not isinstance(each, pisces.Diagnostic):
                words = (each.what, *(each.text(name) for name in ("name", "text", "decision", "who")))
                print("log:", *filter(None, words))


asyncio.run(main())
