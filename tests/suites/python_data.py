"""Values that stand in somebody's Python tests, computed from the syntax tree: nothing is imported or run."""

from __future__ import annotations

import ast
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Unknown(Exception):
    """An expression that is more than data."""


def value_of(node: ast.expr, names: dict[str, Any]) -> Any:
    """The value of an expression of constants, names, lists, tables, `+`, `*` and formatted texts."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.List | ast.Tuple):
        return [value_of(each, names) for each in node.elts]
    if isinstance(node, ast.Dict):
        return _table(node, names)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(value_of(each, names)) for each in node.values)
    if isinstance(node, ast.FormattedValue):
        return value_of(node.value, names)
    if isinstance(node, ast.BinOp):
        return _combined(node, names)
    if isinstance(node, ast.Call):
        return _called(node, names)
    raise Unknown(ast.dump(node)[:80])


def functions(path: Path) -> Iterator[tuple[ast.FunctionDef, dict[str, Any]]]:
    """Every test with the names that it knows: constants of the module, and each set of its parameters."""
    tree = ast.parse(path.read_text("utf-8"))
    names = _constants(tree.body, {})
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            for given in _parameters(node, names):
                yield node, {**names, **given}


def assigned(function: ast.FunctionDef, names: dict[str, Any]) -> dict[str, Any]:
    return {**names, **_constants(function.body, names)}


def calls(function: ast.FunctionDef, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and name in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
            yield node


def _constants(body: list[ast.stmt], names: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = value_of(node.value, {**names, **found})
            except Unknown:
                continue
    return found


def _parameters(function: ast.FunctionDef, names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sets = []
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "attr", "") == "parametrize":
            keys = str(value_of(decorator.args[0], names)).replace(" ", "").split(",")
            rows = value_of(decorator.args[1], names)
            sets.append([dict(zip(keys, row if len(keys) > 1 else [row], strict=True)) for row in rows])
    for chosen in itertools.product(*sets):
        yield {key: value for each in chosen for key, value in each.items()}


def _table(node: ast.Dict, names: dict[str, Any]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        made = value_of(value, names)
        found.update(made if key is None else {value_of(key, names): made})
    return found


def _combined(node: ast.BinOp, names: dict[str, Any]) -> Any:
    left, right = value_of(node.left, names), value_of(node.right, names)
    if isinstance(node.op, ast.Mult):
        return left * right
    if isinstance(node.op, ast.Div):
        return f"{left}/{right}"
    if isinstance(node.op, ast.Add):
        return left + right
    raise Unknown(ast.dump(node)[:80])


def _called(node: ast.Call, names: dict[str, Any]) -> Any:
    attribute = getattr(node.func, "attr", "")
    if attribute == "dumps":
        return json.dumps(value_of(node.args[0], names))
    if attribute == "encode" and isinstance(node.func, ast.Attribute):
        return str(value_of(node.func.value, names)).encode()
    raise Unknown(ast.dump(node)[:80])
