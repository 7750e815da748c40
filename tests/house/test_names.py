"""A thing without a name has no home yet, so find the name: words that say nothing are not used."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
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
CALLED_BY_FRAMEWORKS = {  # methods of theirs that adapters override
    *("get_serialization_name", "get_ordering", "get_instructions", "get_wrapper_toolset", "get_tools"),
    "get_completions",
    *("get_declaration", "get_all_tools", "get_mcp_tools", "get_system_prompt"),
}

# Use the word that an engineer would grep for: diagnostics, reported, stored, lock, timeout, job.
RIDDLES = {"told", "kept", "aim", "aims", "sitting", "errand", "shelf", "turn", "turns"}
ROOMS_OF_TURNS = {"models", "agent", "session", "acp"}  # there it is one request to a model with its tools
MODEL_TURNS = set("TurnStart TurnEnd turn_index turn_id trigger_turn NEXT_TURN max_turns".split())


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
        and node.name.lstrip("_") not in NOUNS | CALLED_BY_FRAMEWORKS
    ]
    assert not vague, "\n".join(vague)


def test_words_that_need_a_glossary_do_not_come_back(modules: dict[Path, ast.Module]) -> None:
    riddles = [
        f"src/pisces/{path.as_posix()}:{line}: {name}"
        for path, tree in modules.items()
        for name, line in identifiers(path, tree)
        if RIDDLES & words_of(name) and name not in MODEL_TURNS
        if not ({"turn", "turns"} & words_of(name) and path.parts[0] in ROOMS_OF_TURNS)
    ]
    assert not riddles, "\n".join(riddles)


def test_no_two_classes_have_the_same_name(modules: dict[Path, ast.Module]) -> None:
    places: dict[str, dict[Path, str]] = defaultdict(dict)  # by file: one may have a class for type checkers as well
    for path, tree in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name][path] = f"src/pisces/{path.as_posix()}:{node.lineno}"
    shared = [f"{name}: {', '.join(found.values())}" for name, found in sorted(places.items()) if len(found) > 1]
    assert not shared, "\n".join(shared)


def words_of(name: str) -> set[str]:
    """`turn_path`, `TurnPath` and `TURN_PATH` have the words `turn` and `path`."""
    return {word.lower() for word in re.findall("[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def identifiers(path: Path, tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every name that a module defines, uses or imports, and its own."""
    yield path.stem, 1
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg", "asname"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield name, getattr(node, "lineno", 1)
