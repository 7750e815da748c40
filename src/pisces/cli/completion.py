"""`pisces completion SHELL`: a script that completes commands, options and their values; it asks pisces itself."""

from __future__ import annotations

from pisces.by_name import export_of, names_in
from pisces.cli._quick_words import Declared
from pisces.cli._shell_command import FINE, ShellCommand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


COMMANDS = "pisces.cli"
_BASH = """_pisces() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(pisces completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}")" -- \
    "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _pisces pisces"""
_ZSH = """#compdef pisces
_pisces() {
  local -a found
  found=("${(@f)$(pisces completion words -- "${(@)words[2,CURRENT]}")}")
  compadd -a found
  _files
}
compdef _pisces pisces"""
_FISH = """complete -c pisces -a '(pisces completion words -- (commandline -opc)[2..] (commandline -ct))'"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=(*_SCRIPTS, "words"), metavar="SHELL", help="bash, zsh or fish")
    parser.add_argument("typed", nargs="*", metavar="WORD", help="for `words`: what was typed so far")


def _run(arguments: Namespace, _places: Places, screen: Screen) -> int:
    if arguments.shell == "words":
        for candidate in candidates(arguments.typed):
            screen.line(candidate)
    else:
        screen.line(_SCRIPTS[arguments.shell])
    return FINE


def candidates(typed: list[str]) -> list[str]:
    """What may stand where the last word is being typed."""
    *before, current = typed or [""]
    commands = {name.replace("_", " ", 1) if "_" in name else name: name for name in names_in(COMMANDS)}
    for words in (2, 1):
        name = commands.get(" ".join(before[:words])) if len(before) >= words else None
        if name:
            return _options(name, before[words:], current)
    start = " ".join([*before, current])
    deep = len(before)
    fitting = {
        command.split(" ")[deep] for command in commands if command.startswith(start) and command.count(" ") >= deep
    }
    return sorted(fitting)


def _options(name: str, before: list[str], current: str) -> list[str]:
    declared = Declared()
    export_of(COMMANDS, name, "COMMAND").arguments(declared)
    words: list[str] = list(declared.options.get(before[-1], {}).get("choices") or ()) if before else []
    if not words:
        words = ["--help", *(flag for flag in declared.options if flag.startswith("--"))]
        words += [choice for each in declared.positionals for choice in each.get("choices") or ()]
        words.sort()
    return [word for word in words if word.startswith(current)]


_EXAMPLES = (
    ('eval "$(pisces completion bash)"', "in ~/.bashrc"),
    ('eval "$(pisces completion zsh)"', "in ~/.zshrc, after compinit"),
    ("pisces completion fish > FILE", "FILE is ~/.config/fish/completions/pisces.fish"),
)
_SUMMARY = "a script that completes pisces commands in bash, zsh or fish"
COMMAND = ShellCommand("completion", _SUMMARY, _EXAMPLES, _arguments, _run)
