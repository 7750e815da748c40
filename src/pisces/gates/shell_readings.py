"""Other words that the same command may run with: what a rule that denies must not overlook.

A variable is any text that the line gives it, or nothing. A rule that allows never looks at these.
"""

from __future__ import annotations

import re

from pisces.formats.shell.arguments import UNKNOWN, Argument
from pisces.formats.shell.options import options_of
from pisces.formats.shell.syntax import COMMAND_OUTPUT, Literal, Simple, Substitution, Variable
from pisces.gates.shell_words import word_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pisces.formats.shell.syntax import Part, ShellWord
    from pisces.gates.shell_words import Words

    Values = Mapping[str, Sequence[ShellWord | None]]

# Options before the subcommand that take a value.
_GLOBAL_OPTIONS = {
    "git": "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source",
    "docker": "--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey",
    "podman": "--config -c --connection --log-level --root --runroot --url",
    "kubectl": "-n --namespace --context --kubeconfig --cluster -s --server --user --token --as -v",
    "helm": "-n --namespace --kube-context --kubeconfig",
    "npm": "--prefix -C -w --workspace --userconfig --registry",
    "pnpm": "-C --dir -F --filter",
    "yarn": "--cwd",
    "cargo": "--config -Z -C --color",
    "gh": "-R --repo",
    "go": "-C",
    "systemctl": "-H --host -M --machine -t --type -p --property",
    "apt-get": "-o -c -t",
    "apt": "-o -c -t",
    "pip": "--python --log --proxy --timeout --cache-dir",
    "aws": "--profile --region --output --endpoint-url",
    "gcloud": "--project --account --configuration",
    "terraform": "",
    "brew": "",
    "uv": "--directory --project --config-file --cache-dir --color",
    "poetry": "-C --directory -P --project",
}
# Subcommands that run a program: the rest of the words is its command line.
_RUNNERS = {
    ("uv", "run"): "--with --python -p --directory --project --extra --group --env-file",
    ("uv", "tool"): "",
    ("poetry", "run"): "",
    ("pipenv", "run"): "",
    ("pdm", "run"): "",
    ("hatch", "run"): "",
    ("rye", "run"): "",
    ("bundle", "exec"): "",
    ("npm", "exec"): "-c --package",
    ("pnpm", "exec"): "",
    ("yarn", "exec"): "",
    ("mise", "exec"): "",
    ("asdf", "exec"): "",
    ("direnv", "exec"): "",
    ("docker", "exec"): "-e --env -u --user -w --workdir --env-file",
    (
        "docker",
        "run",
    ): "-v --volume -e --env -w --workdir -u --user --name -p --publish --network --entrypoint -m --mount",
    ("podman", "exec"): "-e --env -u --user -w --workdir",
    ("kubectl", "exec"): "-n --namespace -c --container",
}
_AT_NAMED_PLACE = frozenset(
    (("direnv", "exec"), ("docker", "exec"), ("docker", "run"), ("podman", "exec"), ("kubectl", "exec"))
)
# Whatever the program is called: what follows these options it runs.
_RUN_BY_OPTIONS = frozenset("to-command checkpoint-action use-compress-program compress-program rsh exec pre".split())
_EXTENSION = re.compile(r"\.(?:exe|cmd|bat|com)\Z", re.IGNORECASE)
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_DEFAULTS = ("-", ":-", "=", ":=", "+", ":+")
_MOST = 16
_KNOWN = {"SHELL": "bash", "BASH": "bash", "0": "bash", "IFS": " ", "HOME": "~", "PWD": "."}


def forms_of(words: Words) -> Iterator[Words]:
    """The command without the folder of its program, in small letters, and without global options."""
    if not words or not words[0]:
        return
    unended = tuple(word and word.rstrip("\r") for word in words)  # of a line from Windows, as parsers of rules cut it
    if unended != words:
        yield unended
        yield from forms_of(unended)
        return
    name = _EXTENSION.sub("", words[0].replace("\\", "/").rpartition("/")[2])
    for each in dict.fromkeys((name, name.lower())):
        yield (each, *words[1:])
    short = _without_options(name.lower(), words[1:])
    if short is not None and len(short) < len(words):
        yield short
    runs = _RUNNERS.get((name.lower(), (short or words)[1] or "")) if len(short or words) > 1 else None
    if runs is not None:
        yield from _run_inside(short or words, runs.split())
    for word in words[1:]:
        option, equals, value = (word or "").partition("=")
        if equals and option.lstrip("-") in _RUN_BY_OPTIONS:
            yield tuple(value.removeprefix("exec=").split())


def _without_options(name: str, rest: Words) -> Words | None:
    values = _GLOBAL_OPTIONS.get(name)
    if values is None:
        return None
    arguments = [Argument(UNKNOWN if each is None else each) for each in rest]
    behind = options_of(arguments, values.split()).rest
    return (name, *rest[len(rest) - len(behind) :])


def _run_inside(words: Words, values: list[str]) -> Iterator[Words]:
    arguments = [Argument(UNKNOWN if each is None else each) for each in words[2:]]
    behind = len(options_of(arguments, values).rest)
    inner = words[len(words) - behind :] if behind else ()
    inner = inner[1:] if (words[0], words[1]) in _AT_NAMED_PLACE else inner
    inner = inner[1:] if inner[:1] == ("--",) else inner
    if inner:
        yield inner
        yield from forms_of(inner) if inner[0] != words[0] else ()


def variants_of(words: Sequence[ShellWord], values: Values) -> Iterator[Words]:
    """The command with every text that its variables may have."""
    if all(word_text(each) is not None for each in words):
        return
    found: list[tuple[str | None, ...]] = [()]
    for word in words:
        options = list(dict.fromkeys(_texts(word, values)))[:_MOST]
        found = [(*each, *option) for each in found for option in options][:_MOST]
    yield from found


def _texts(word: ShellWord, values: Values) -> Iterator[Words]:
    """The words that a word may become."""
    texts = [""]
    is_split = False
    for part in word.parts:
        candidates = _candidates(part, values)
        if candidates is None:
            yield (None,)
            candidates = [""]
        is_split = is_split or not (isinstance(part, Literal) or getattr(part, "quoted", True))
        texts = [text + each for text in texts for each in candidates][:_MOST]
    for text in texts:
        if word.braces:
            yield tuple(each for each in _expanded(text) if each)
        else:
            yield tuple(text.split()) if is_split else (text,)


def _candidates(part: Part, values: Values) -> list[str] | None:
    if isinstance(part, Literal):
        return [part.text]
    if isinstance(part, Variable):
        given = [word_text(each) if each else None for each in values.get(part.name, ())]
        inner = "".join(each.text for each in part.inner if isinstance(each, Literal))
        given += [inner] if part.operator in _DEFAULTS else []
        given += [_KNOWN[part.name]] if part.name in _KNOWN else []
        return list(dict.fromkeys([*(each for each in given if each is not None), ""]))
    if isinstance(part, Substitution) and part.kind == COMMAND_OUTPUT:
        return [*_printed(part), ""]
    return None


def _printed(part: Substitution) -> Iterator[str]:
    """What `$(echo rm)` prints."""
    for pipeline in part.script.pipelines:
        for node in pipeline:
            words = [word_text(each) for each in node.words] if isinstance(node, Simple) else []
            if words[:1] in (["echo"], ["printf"]) and None not in words:
                yield " ".join(each for each in words[1:] if each)


def _expanded(text: str) -> Iterator[str]:
    """`{a,b}` without its braces."""
    pending = [text]
    for _ in range(_MOST):
        if not pending:
            return
        each = pending.pop(0)
        found = _BRACES.search(each)
        if not found:
            yield each
            continue
        pending += [each[: found.start()] + option + each[found.end() :] for option in found[1].split(",")]
