"""What fits on a page can be read: caps on modules, functions, parameters and nesting."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

MODULE_LINES = 400
FUNCTION_LINES = 50
PARAMETERS = 5
NESTING = 3

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


def test_modules_are_short(package: Path, modules: dict[Path, ast.Module]) -> None:
    lengths = {path: len((package / path).read_text("utf-8").splitlines()) for path in modules}
    _assert_none(f"src/pisces/{path.as_posix()}:1: {n} lines" for path, n in lengths.items() if n > MODULE_LINES)


def test_functions_are_short(modules: dict[Path, ast.Module]) -> None:
    _assert_none(
        f"{place} has {lines} lines"
        for place, function in _functions(modules)
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > FUNCTION_LINES
    )


def test_functions_take_few_parameters(modules: dict[Path, ast.Module]) -> None:
    _assert_none(
        f"{place} takes {len(names)} parameters"
        for place, function in _functions(modules)
        if len(names := _parameters(function)) > PARAMETERS
    )


def test_functions_are_flat(modules: dict[Path, ast.Module]) -> None:
    _assert_none(
        f"{place} nests {depth} deep"
        for place, function in _functions(modules)
        if (depth := _depth(function.body)) > NESTING
    )


def _assert_none(wrong: Iterator[str]) -> None:
    found = list(wrong)
    assert not found, "\n".join(found)


def _functions(modules: dict[Path, ast.Module]) -> Iterator[tuple[str, Function]]:
    for path, tree in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield f"src/pisces/{path.as_posix()}:{node.lineno}: {node.name}", node


def _parameters(function: Function) -> list[str]:
    arguments = function.args
    named = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return [name for name in named if name not in ("self", "cls", "mcs")]


def _depth(body: list[ast.stmt]) -> int:
    return max((_depth_of(statement) for statement in body), default=0)


def _depth_of(node: ast.AST) -> int:
    if isinstance(node, FUNCTIONS):
        return 0  # counted by itself
    inner = [_depth_of(child) for child in ast.iter_child_nodes(node) if not _is_elif(node, child)]
    below = max(inner, default=0)
    if not isinstance(node, BLOCKS):
        return below
    chained = [_depth_of(child) for child in ast.iter_child_nodes(node) if _is_elif(node, child)]
    return max(below + 1, *chained, 1)


def _is_elif(node: ast.AST, child: ast.AST) -> bool:
    """An `elif` is written on the same level as its `if`, though the parser puts it one below."""
    return isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
