"""The reference of the front door, from the syntax of the source: it does not depend on the version of Python.

Every name has its signature, its docstring, its fields, and the first program of examples/python that uses it. A name
without a docstring or without an example is an error.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

REPO = Path(__file__).resolve().parent.parent
SOURCE = REPO / "src" / "pisces"
PROGRAMS = REPO / "examples" / "python"
WIDTH = 110

INTRO = """
Every name of `import pisces`, in the order in which one meets them. [From Python](../guides/from-python.md) shows how
they go together. A value is immutable: `value.replace(field=...)` makes a changed copy, and a mapping or list inside
must not be changed. Paths in values are absolute; paths that functions take may be relative to `places.cwd` or begin
with `~`. Lines and columns count from 1, and 0 means the whole file. `Keys` are the keys and indexes that lead to an
item in its file.

Three packages have names of their own: `pisces.events` has the [events](../concepts/events.md) that modules listen to,
`pisces.testing` the [kit](../guides/testing.md) for tests, and `pisces.ide` is for
[editors](../guides/ide-companion.md) and [agents](../guides/ide-client.md#from-python). What is in none of these has no
promise.
"""
REACHED = """
## Values that come with them
These come out of the functions and fields above. Their fields are part of the promise; where their classes live is not.
"""
# Fields that lead into the house: what is behind them is not for programs.
INTERNAL = {"Value", "PackageFormat", "ReadPackage"}
VALUES = {"Value", "OfKind", "OfKindOut"}  # the bases of all values

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Definition(NamedTuple):
    """A name, the file that defines it, and the node."""

    name: str
    file: Path
    node: ast.stmt


class Room:
    """The parsed files of the package, and where their names come from."""

    def __init__(self) -> None:
        self._trees: dict[Path, ast.Module] = {}
        self.door: set[str] = set()

    def tree(self, file: Path) -> ast.Module:
        if file not in self._trees:
            self._trees[file] = ast.parse(file.read_text("utf-8"))
        return self._trees[file]

    def defined(self, name: str, file: Path) -> Definition | None:
        for node in self.tree(file).body:
            if _name_of(node) == name:
                return Definition(name, file, node)
        return None

    def resolved(self, name: str, file: Path) -> Definition | None:
        """What a name in a file stands for: defined there, or imported from another file of ours."""
        found = self.defined(name, file)
        if found:
            return found
        for node in ast.walk(self.tree(file)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pisces."):
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        home = file_of(str(node.module).removeprefix("pisces."))
                        return self.resolved(alias.name, home) if home.exists() else None
        return None

    def about(self, file: Path) -> str:
        """The first paragraph of a file's own docstring."""
        return " ".join((ast.get_docstring(self.tree(file)) or "").split("\n\n")[0].split())

    def lineage(self, found: Definition) -> list[Definition]:
        """A class and its bases, the oldest first."""
        assert isinstance(found.node, ast.ClassDef)
        bases = [self.resolved(name, found.file) for base in found.node.bases for name in _words(base)[:1]]
        older = [each for base in bases if base and isinstance(base.node, ast.ClassDef) for each in self.lineage(base)]
        return [*older, found]

    def is_value(self, found: Definition) -> bool:
        return isinstance(found.node, ast.ClassDef) and any(
            word in VALUES
            for each in self.lineage(found)
            if isinstance(each.node, ast.ClassDef)
            for base in each.node.bases
            for word in _words(base)
        )


def python_page(home: dict[str, str], generated: str) -> str:
    """The whole page, of the table of the front door."""
    room = Room()
    door = [room.defined(name, file_of(module)) for module, names in home.items() for name in names.split()]
    missing = [each for each in door if each is None]
    assert not missing, "the table of the front door has a name that its file does not define"
    names = [each for each in door if each]
    room.door = {each.name for each in names}
    lines = ["# Python", generated, *INTRO.rstrip().split("\n"), ""]
    lines += [f"{', '.join(f'[`{each.name}`](#{each.name.lower()})' for each in names)}."]
    examples = _programs()
    problems: list[str] = []
    for each in names:
        lines += ["", f"## {each.name}", *_described(room, each, problems), *_example(each.name, examples, problems)]
    lines += REACHED.rstrip().split("\n")
    for each in _reached(room, names):
        lines += ["", f"### {each.name}", *_described(room, each, problems)]
    if problems:
        raise SystemExit("docs/reference/python.md: " + "; ".join(problems))
    return "\n".join(lines) + "\n"


def file_of(module: str) -> Path:
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _described(room: Room, found: Definition, problems: list[str]) -> list[str]:
    if isinstance(found.node, ast.ClassDef):
        lines, about = _class(room, found), ast.get_docstring(found.node) or ""
        if found.file.stem == re.sub("(?<=[a-z])(?=[A-Z])", "_", found.name).lower():
            about = f"{room.about(found.file)}\n\n{about}".strip()
    elif isinstance(found.node, Function):
        lines, about = _fenced(_signature(found.node)), ast.get_docstring(found.node) or ""
    else:
        assert isinstance(found.node, ast.AnnAssign)
        lines, about = _fenced(ast.unparse(found.node.annotation), f"{found.name}: "), _of_kind(room, found)
    if not about:
        problems.append(f"{found.name} has no docstring")
    code = lines.index("```") + 1
    shown = lines[:code] if found.name in room.door else []  # nobody makes a value that only comes back
    return [*shown, *about.split("\n"), *lines[code:]]


def _of_kind(room: Room, found: Definition) -> str:
    """A kind is described by the file of its items."""
    assert isinstance(found.node, ast.AnnAssign)
    items = [room.resolved(word, found.file) for word in _words(found.node.annotation)[1:]]
    return room.about(items[0].file) if items and items[0] else ""


def _class(room: Room, found: Definition) -> list[str]:
    bodies = [node for each in room.lineage(found) if each.name not in INTERNAL for node in _body(each)]
    fields = [node for node in bodies if isinstance(node, ast.AnnAssign)]
    made = next((node for node in bodies if isinstance(node, Function) and node.name == "__init__"), None)
    if room.is_value(found):
        given = [f"{ast.unparse(each.target)}{_default(each)}" for each in fields]
        lines = _fenced(_wrapped(f"{found.name}(", given, ")"))
    else:
        is_made = made is not None and all(word in room.door for word in _own_words(room, made, found.file))
        lines = _fenced(_signature(made).replace("__init__", found.name) if made and is_made else f"class {found.name}")
    rows = [(ast.unparse(each.target), _typed(each.annotation), "") for each in fields]
    rows += [row for node in (made.body if made else ()) for row in _attribute(node)]
    rows += [row for node in bodies for row in _view(room, node)]
    rows = list({name: (name, kind, about) for name, kind, about in reversed(rows)}.values())[::-1]
    methods = {node.name: node for node in bodies if isinstance(node, Function) and _is_method(node)}
    lines += ["", "| field | type | |", "| --- | --- | --- |"] if rows else []
    lines += [f"| `{name}` | `{_cell(kind)}` | {_cell(about)} |" for name, kind, about in rows]
    lines += ["", "| method | |", "| --- | --- |"] if methods else []
    lines += [f"| `{_cell(_signature(node, ''))}` | {_cell(_first(node))} |" for node in methods.values()]
    return lines


def _body(found: Definition) -> list[ast.stmt]:
    """Of a class, with what it says to type checkers only."""
    assert isinstance(found.node, ast.ClassDef)
    every: list[ast.stmt] = []
    for node in found.node.body:
        every += node.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" else [node]
    return every


def _attribute(node: ast.stmt) -> Iterator[tuple[str, str, str]]:
    """What `__init__` puts on the object."""
    target = (
        node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
    )
    if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
        assert isinstance(node, ast.Assign | ast.AnnAssign)
        kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else _guessed(node.value)
        yield target.attr, kind, ""


def _guessed(value: ast.expr | None) -> str:
    if isinstance(value, ast.Call):
        return ast.unparse(value.func)
    return (
        type(value.value).__name__
        if isinstance(value, ast.Constant)
        else {"cwd": "str", "diagnostic": "Diagnostic"}.get(ast.unparse(value) if value else "", "Any")
    )


def _view(room: Room, node: ast.stmt) -> Iterator[tuple[str, str, str]]:
    """Properties, and typed views of fields such as `model = Text("model")`."""
    if isinstance(node, Function) and _is_property(node) and _is_public(node):
        yield node.name, _typed(node.returns), _first(node)
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and not _name_of(node).startswith("_"):
        view = room.defined(ast.unparse(node.value.func), SOURCE / "shapes" / "field.py")
        if view and isinstance(view.node, ast.ClassDef):
            got = [each for each in view.node.body if isinstance(each, Function) and each.name == "__get__"]
            keys = ", ".join(f"`{each.value!s}`" for each in node.value.args if isinstance(each, ast.Constant))
            yield _name_of(node), _typed(got[0].returns) if got else "Any", f"from {keys}"


def _reached(room: Room, names: list[Definition]) -> list[Definition]:
    """Values that functions return and that fields have, and so on, which are not names of the door."""
    known = {each.name: each for each in names}
    queue = list(names)
    for found in queue:
        for word in _leads_to(room, found):
            other = room.resolved(word, found.file)
            if other and other.name not in known and other.name not in INTERNAL and room.is_value(other):
                known[other.name] = other
                queue.append(other)
    return sorted((each for each in queue if each not in names), key=lambda each: each.name)


def _leads_to(room: Room, found: Definition) -> list[str]:
    if isinstance(found.node, Function):
        return _words(found.node.returns)
    if isinstance(found.node, ast.AnnAssign):
        return _words(found.node.annotation)
    bodies = [node for each in room.lineage(found) for node in _body(each)]
    fields = [word for node in bodies if isinstance(node, ast.AnnAssign) for word in _words(node.annotation)]
    return fields + [word for node in bodies if isinstance(node, Function) for word in _words(node.returns)]


def _programs() -> list[tuple[Path, ast.Module, list[str]]]:
    """The shorter a program is, the better it shows a name."""
    found = [(file, file.read_text("utf-8")) for file in sorted(PROGRAMS.glob("*.py"))]
    return [(file, ast.parse(text), text.splitlines()) for file, text in sorted(found, key=lambda each: len(each[1]))]


def _example(name: str, programs: list[tuple[Path, ast.Module, list[str]]], problems: list[str]) -> list[str]:
    for file, tree, lines in programs:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == f"pisces.{name}":
                first, last = _statement(tree, node.lineno)
                place = f"line {first}" if first == last else f"lines {first} to {last}"
                shown = "\n".join(lines[first - 1 : last])
                indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
                code = "\n".join(line[indent:] for line in shown.split("\n"))
                return [f"\nIn [{file.name}](../../examples/python/{file.name}), {place}:", *_fenced(code)]
    problems.append(f"no program of examples/python uses pisces.{name}")
    return []


def _statement(tree: ast.Module, line: int) -> tuple[int, int]:
    """The lines of the smallest statement on that line; of one with a body, its head."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt | ast.ExceptHandler) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    smallest = min(around, key=lambda node: (node.end_lineno or 0) - node.lineno)
    body = getattr(smallest, "body", None)
    return smallest.lineno, body[0].lineno - 1 if body else smallest.end_lineno or smallest.lineno


def _signature(node: Function, lead: str | None = None) -> str:
    start = f"{'async ' if isinstance(node, ast.AsyncFunctionDef) and not node.decorator_list else ''}{node.name}("
    context = any("contextmanager" in ast.unparse(each) for each in node.decorator_list)
    start = f"async with {node.name}(" if context and lead is None else start
    arguments = node.args
    given: list[str] = []
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(arguments.args, defaults, strict=True):
        given += [] if argument.arg in ("self", "cls") else [_argument(argument, default)]
    given += ["*"] if arguments.kwonlyargs else []
    given += [
        _argument(each, default) for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    given += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    end = f") -> {_typed(node.returns)}" if node.returns and node.name != "__init__" else ")"
    end = re.sub(r"\) -> AsyncIterator\[(.*)\]$", r") as \1", end) if context else end
    return f"{start}{', '.join(given)}{end}" if lead is not None else _wrapped(start, given, end)


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    typed = f"{argument.arg}: {_typed(argument.annotation)}" if argument.annotation else argument.arg
    return f"{typed} = {_literal(default)}" if default else typed


def _wrapped(start: str, given: list[str], end: str) -> str:
    line = f"{start}{', '.join(given)}{end}"
    return line if len(line) <= WIDTH else "\n".join([start, *(f"    {each}," for each in given), end])


def _default(node: ast.AnnAssign) -> str:
    return f"={_literal(node.value)}" if node.value else ""


def _literal(value: ast.expr) -> str:
    """As the formatter writes it, which also formats the code in pages."""
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return json.dumps(ast.literal_eval(value)) if is_text else ast.unparse(value)


def _typed(annotation: ast.expr | None) -> str:
    return ast.unparse(annotation).replace("KindOut", "Kind") if annotation else "Any"


def _words(node: ast.expr | None) -> list[str]:
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)] if node else []


def _name_of(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef | Function):
        return node.name
    if isinstance(node, ast.AnnAssign):
        return ast.unparse(node.target)
    return ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""


def _is_public(node: Function) -> bool:
    return not node.name.startswith("_")


def _own_words(room: Room, node: Function, file: Path) -> list[str]:
    """Classes of ours in the annotations of the parameters."""
    words = [word for each in node.args.args for word in _words(each.annotation)]
    return [word for word in words if room.resolved(word, file)]


def _is_method(node: Function) -> bool:
    return _is_public(node) and not _is_property(node)


def _is_property(node: Function) -> bool:
    return any(ast.unparse(each) == "property" for each in node.decorator_list)


def _first(node: Function) -> str:
    return " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())


def _fenced(code: str, lead: str = "") -> list[str]:
    return ["```python", *f"{lead}{code}".split("\n"), "```"]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
