"""`pisces mcp serve`: everything that was found here, for any MCP client."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.cli._shell_command import ShellCommand
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.serving.choices import AUTO, KINDS, SEARCHES, ServeChoices
from pisces.shapes.session_facts import MODE_ASK, MODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--kinds", metavar="KIND,...", help=f"what is offered, of {', '.join(KINDS)} (default: all)")
    parser.add_argument("--only", action="append", metavar="NAME", help="offer this alone (repeatable; `*` fits all)")
    parser.add_argument("--except", action="append", dest="without", metavar="NAME", help="leave this out (repeatable)")
    meaning = "find tools by words instead of listing all (default: auto, where there are many)"
    parser.add_argument("--search", choices=SEARCHES, default=AUTO, help=meaning)
    parser.add_argument("--approve-mode", choices=MODES, default=MODE_ASK, help="the approval mode (default: ask)")
    meaning = "let what this project brings run, for this session"
    parser.add_argument("--trust-workspace", action="store_true", help=meaning)
    parser.add_argument("--no-ask", action="store_true", help="never ask the client's user, but deny")
    parser.add_argument("--http", metavar="[HOST:]PORT", help="serve over HTTP, on 127.0.0.1 by default")
    meaning = "the file with the token of HTTP clients; written if it is missing (or $PISCES_MCP_TOKEN)"
    parser.add_argument("--token-file", metavar="FILE", help=meaning)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    choices = ServeChoices(
        _kinds(arguments.kinds),
        tuple(arguments.only or ()),
        tuple(arguments.without or ()),
        arguments.search,
        arguments.approve_mode,
        trust_workspace=arguments.trust_workspace,
        asks_client=not arguments.no_ask,
    )
    if arguments.http:
        options = arguments.http, arguments.token_file
        return int(export_of("pisces.serving", "http", "serve")(places, choices, options, screen.note))
    return int(export_of("pisces.serving", "stdio", "serve")(places, choices))


def _kinds(text: str | None) -> tuple[str, ...]:
    if text is None:
        return KINDS
    given = tuple(filter(None, (each.strip() for each in text.split(","))))
    wrong = [each for each in given if each not in KINDS]
    if wrong or not given:
        message = f"`{wrong[0]}` is no kind of thing that is served" if wrong else "`--kinds` names nothing"
        raise PiscesError(Diagnostic("bad-kinds", ERROR, message, hint=f"of: {', '.join(KINDS)}"))
    return given


_EXAMPLES = (
    ("claude mcp add pisces -- pisces mcp serve", "everything found here, in another program"),
    ("pisces mcp serve --kinds skills,commands", "only skills and prompts"),
    ("pisces mcp serve --except 'github__*' --search always", "without one server, tools found by words"),
    ("pisces mcp serve --http 8808 --token-file ~/.pisces/mcp-token", "for several clients, with a token"),
)
_SUMMARY = "offers everything found here (skills, commands, tools, servers) to any MCP client"
COMMAND = ShellCommand("mcp serve", _SUMMARY, _EXAMPLES, _arguments, _run)
