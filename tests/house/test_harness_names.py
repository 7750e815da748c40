"""All that is known of a harness is in its folder: outside of `harnesses/` nothing goes by the id of one."""

from __future__ import annotations

import ast
from pathlib import Path

from pisces.discovery.harness import all_harnesses
from pisces.discovery.package_format import all_formats

# File or folder, the text, and why it may stay.
ALLOWED = {
    ("cli/inspect.py", "skill"): "a kind of component",
    ("discovery/capabilities.py", "skill"): "a kind of component",
    ("packages/card.py", "skill"): "a kind of component",
    ("modules/", "native"): "pisces itself, whose modules these are",
    ("modules/sidecar/wire.py", "continue"): "a word in the answers of handlers",
    ("gates/hooks/", "continue"): "a word in the answers of hooks",
    ("shapes/ide_context.py", "cursor"): "the text cursor, in the companion's protocol",
    ("ide/", "cursor"): "the text cursor, in the companion's protocol, and an editor",
    ("models/gemini.py", "gemini"): "a wire format, which its API is called by",
    ("models/providers.py", "gemini"): "the same wire format",
    ("mcp/", "cursor"): "where the next page of a list begins, in the protocol",
    ("mcp/oauth_clients.py", "native"): "a kind of client, in OAuth",
    ("serving/methods.py", "cursor"): "the next page of a list, in MCP",
    ("ide/editors.py", "antigravity"): "an editor, which has the name of its agent",
    ("ide/companion_folder.py", "gemini"): "a folder, in the companion's protocol",
    ("discovery/options.py", "omp"): "a key of package.json",
    ("discovery/options.py", "pi"): "a key of package.json",
    ("discovery/finders/toml_commands.py", "gemini"): "the dialect of all TOML prompts",
}


def test_ids_of_harnesses_and_formats_stay_in_their_folders(modules: dict[Path, ast.Module]) -> None:
    ids = {each.id for each in all_harnesses()} | {each.id for each in all_formats()}
    wrong = [
        f"src/pisces/{path.as_posix()}:{node.lineno}: {node.value!r}"
        for path, tree in modules.items()
        if path.parts[0] != "harnesses"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in ids
        if not _is_allowed(path.as_posix(), node.value)
    ]
    assert not wrong, "make it a fact that the harness's own folder says:\n" + "\n".join(wrong)


def _is_allowed(path: str, text: str) -> bool:
    return any(text == word and path.startswith(place) for place, word in ALLOWED)


def test_a_harness_of_few_is_named_in_its_own_folder_only(modules: dict[Path, ast.Module]) -> None:
    """Also inside longer texts, which the ids of others are for good reasons. Its maker's models are another thing."""
    models = {"mcp/model_keys.py"}
    wrong = [
        f"src/pisces/{path.as_posix()}:{node.lineno}"
        for path, tree in modules.items()
        if path.parts[:2] != ("harnesses", "qwen") and path.as_posix() not in models
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "qwen" in node.value.lower()
    ]
    assert not wrong
