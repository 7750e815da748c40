"""`pisces completion SHELL`: a script that completes commands, options, values and names; it asks pisces itself."""

from __future__ import annotations

from pisces.by_name import export_of, names_in
from pisces.cli._quick_words import Declared
from pisces.cli._shell_command import FINE, NOT_IN_HELP, SAFE, ShellCommand, declare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


COMMANDS = "pisces.cli"
# Bash splits words at colons, and `compgen -W` would run what it finds in a word.
_BASH = """_pisces() {
  local word last
  local -a words=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    last=$((${#words[@]} - 1))
    if [[ $last -ge 0 && ( "$word" == :* || "${words[last]}" == *: ) ]]; then words[last]+="$word"
    else words+=("$word"); fi
  done
  last="${words[${#words[@]} - 1]}"
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("${word#"${last%"${last##*:}"}"}"); done \
    < <(pisces completion words -- "${words[@]}" 2>/dev/null)
}
complete -o default -F _pisces pisces"""
_ZSH = """#compdef pisces
_pisces() {
  local -a found
  local missed
  found=(${(f)"$(pisces completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -a found; missed=$?
  _files || return $missed
}
compdef _pisces pisces"""
_FISH = """complete -c pisces -a '(pisces completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=(*_SCRIPTS, "words"), metavar="SHELL", help="bash, zsh or fish")
    parser.add_argument("typed", nargs="*", metavar="WORD", help="for `words`: what was typed so far")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    if arguments.shell == "words":
        screen.text("".join(f"{each}\n" for each in candidates(arguments.typed, places)))
    else:
        screen.text(f"{_SCRIPTS[arguments.shell]}\n")
    return FINE


def candidates(typed: list[str], places: Places | None = None) -> list[str]:
    """What may stand where the last word is being typed. Names of what is in these places are offered too."""
    typed = typed[1:] if typed[:1] == [SAFE] and len(typed) > 1 else typed
    *before, current = typed or [""]
    commands = {name.replace("_", " ", 1) if "_" in name else name: name for name in names_in(COMMANDS)}
    for words in (2, 1):
        name = commands.get(" ".join(before[:words])) if len(before) >= words else None
        if name:
            return sorted({word for word in _words(name, before[words:], places) if word.startswith(current)})
    if (before or [current])[0].startswith("-"):
        return sorted({word for word in _words("_agent", before, places) if word.startswith(current)})
    start = " ".join([*before, current])
    deep = len(before)
    fitting = {
        command.split(" ")[deep] for command in commands if command.startswith(start) and command.count(" ") >= deep
    }
    return sorted(fitting)


def _words(name: str, before: list[str], places: Places | None) -> list[str]:
    declared = Declared()
    declare(export_of(COMMANDS, name, "COMMAND"), declared)  # type: ignore[arg-type]  # it stands in for a parser
    option = declared.options.get(before[-1], {}) if before else {}
    if option and option.get("action") != "store_true":
        return _values(option, name, [], places)
    given = _positionals(before, declared)
    shown = [flag for flag, each in declared.options.items() if flag[:2] == "--" and each.get("help") != NOT_IN_HELP]
    for at, each in enumerate(declared.positionals):
        if at == len(given) or each.get("nargs") in ("*", "+", "..."):
            return ["--help", *shown, *_values(each, name, given[at:], places)]
    return ["--help", *shown]


def _positionals(before: list[str], declared: Declared) -> list[str]:
    """The words that are neither options nor their values."""
    found: list[str] = []
    takes_value = False
    for word in before:
        if not takes_value and not word.startswith("-"):
            found.append(word)
        takes_value = declared.options.get(word, {"action": "store_true"}).get("action") != "store_true"
    return found


def _values(details: dict[str, Any], name: str, typed: list[str], places: Places | None) -> list[str]:
    choices = list(details.get("choices") or ())
    if choices or places is None:
        return choices
    found: list[str] = export_of(COMMANDS, "_completions", "values")(details.get("metavar") or "", name, typed, places)
    return found


_EXAMPLES = (
    ('eval "$(pisces completion bash)"', "in ~/.bashrc"),
    ('eval "$(pisces completion zsh)"', "in ~/.zshrc, after compinit"),
    ("pisces completion fish > FILE", "FILE is ~/.config/fish/completions/pisces.fish"),
)
_SUMMARY = "a script that completes pisces commands in bash, zsh or fish"
COMMAND = ShellCommand("completion", _SUMMARY, _EXAMPLES, _arguments, _run)
