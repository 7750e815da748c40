"""A command that is a program, called as a tool: the host runs it as if its user had typed it, past the same gates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pisces.commands.names.resolve import resolve
from pisces.diagnostics import PiscesError
from pisces.formats.masking import masked
from pisces.modules.tool_arguments import BadArguments, fitted
from pisces.serving.results import notes_for_model, text_result
from pisces.shapes.tool import Tool

if TYPE_CHECKING:
    from pisces.host.host import Host
    from pisces.serving.tools import ServedTool


async def ran_program(host: Host, tool: ServedTool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Its output, or why there is none. Never raises for what the program or a gate does."""
    try:
        given = fitted(Tool(tool.name, "", tool.schema, _nothing), arguments)
        words = " ".join(filter(None, (f"/{tool.tool}", given.get("subcommand"), given.get("arguments"))))
        if "\n" in words or resolve(words, host.commands).entry is not tool.program:
            return text_result(f"`{tool.name}` was not called: its arguments cannot be read as its own", is_error=True)
        submitted = await host.submit(words)
    except BadArguments as error:
        return text_result(str(error), is_error=True)
    except PiscesError as error:
        return text_result(masked(". ".join(filter(None, (str(error), error.diagnostic.hint)))), is_error=True)
    if submitted.blocked:
        return text_result(f"Denied: {submitted.blocked}", is_error=True)
    output = submitted.output
    if output is None:
        return text_result(f"`{tool.name}` was handled elsewhere")
    said = [output.stdout, output.stderr, str(output.problem) if output.problem else ""]
    texts = [each for each in (*said, *notes_for_model(submitted.notes)) if each]
    return text_result("\n".join(texts), is_error=output.problem is not None)


def _nothing() -> None:
    """The host runs it: this is for the check of its arguments."""
