"""A thing without a name has no home yet, so find the name: words that say nothing are not used."""

from __future__ import annotations

import ast
import re
from pathlib import Path

FILES = {"util", "utils", "helper", "helpers", "common", "base", "core", "misc", "manager", "handlers", "services"}
CLASS_WORDS = {"Manager", "Helper", "Util", "Utils", "Handler", "Service", "Factory", "Base"} | {
    "Impl",
    "Info",
    "Data",
    "Wrapper",
}
FUNCTION_PREFIXES = ("get_", "handle_", "process_", "do_")
NOUNS = {"process_tree", "process_exited"}  # begin like a verb; the one is a thing, the other is what asyncio calls


def test_files_and_folders_are_named_for_what_they_hold(modules: dict[Path, ast.Module]) -> None:
    vague = [path.as_posix() for path in modules if FILES & {part.removesuffix(".py") for part in path.parts}]
    assert not vague, f"find a name that says what is inside: {vague}"


def test_classes_are_named_for_what_they_are(modules: dict[Path, ast.Module]) -> None:
    vague = [
        f"src/pisces/{path.as_posix()}:{node.lineno}: {node.name}"
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and CLASS_WORDS & set(re.findall("[A-Z][a-z]*", node.name))
    ]
    assert not vague, "\n".join(vague)


def test_functions_say_what_comes_back(modules: dict[Path, ast.Module]) -> None:
    vague = [
        f"src/pisces/{path.as_posix()}:{node.lineno}: {node.name}"
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.endswith("__")  # Python's own, such as `__get__`
        and node.name.lstrip("_").startswith(FUNCTION_PREFIXES)
        and node.name.lstrip("_") not in NOUNS
    ]
    assert not vague, "\n".join(vague)
