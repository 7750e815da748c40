"""A server by FastMCP, another implementation than the SDK's. It is run by the Python that has FastMCP."""
# mypy: ignore-errors

import sys

from fastmcp import Context, FastMCP
from fastmcp.utilities.types import Audio

server = FastMCP("other", instructions="Be brief.")


@server.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool
def beep() -> Audio:
    return Audio(data=b"RIFF....WAVE", format="wav")


@server.tool
async def ask(ctx: Context) -> str:
    answer = await ctx.elicit("Your name?", response_type=str)
    return f"{answer.action} {getattr(answer, 'data', '')}"


@server.tool
def broken() -> str:
    raise ValueError("it broke")


@server.prompt
def greet(name: str) -> str:
    return f"Greet {name}"


@server.resource("note://{name}")
def note(name: str) -> str:
    return f"a note about {name}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run(transport=sys.argv[1], host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
    else:
        server.run(show_banner=False)
