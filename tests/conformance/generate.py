"""Builds many small odd Gemini extensions, the same ones for the same seed.

python -m tests.conformance.generate FOLDER COUNT [SEED]
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from random import Random
from typing import Any

from tests.conformance.odd import LINK, WORDS, Files, as_json, chance, pick, text
from tests.conformance.odd_headers import agents, skills
from tests.conformance.odd_toml import commands, policies

BAD_BYTE = "\ue000"  # written as a byte that is not UTF-8
MANIFEST = "gemini-extension.json"
FIELDS = (
    "name",
    "version",
    "contextFileName",
    "mcpServers",
    "settings",
    "themes",
    "excludeTools",
    "plan",
    "description",
)


def generate(target: Path, count: int, seed: int = 1) -> list[Path]:
    folders = []
    for index in range(count):
        random = Random(f"{seed}/{index}")
        folder = target / f"odd-{index:05}"
        files = {MANIFEST: '{"name": "ok", "version": "1"}', **MAKERS[index % len(MAKERS)](random)}
        for name, written in files.items():
            _write(folder / name, spoiled(random, written))
        folders.append(folder)
    return folders


def spoiled(random: Random, written: str) -> str:
    """Now and then a character too many."""
    if not chance(random, 0.02) or len(written) < 2 or written.startswith(LINK):
        return written
    at = random.randrange(len(written))
    return written[:at] + text(random, "spoilers") + written[at:]


def _write(path: Path, written: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if written.startswith(LINK):
            os.symlink(written.removeprefix(LINK), path)
        elif written == "/":
            path.mkdir()
        else:
            path.write_bytes(written.encode("utf-8", "surrogatepass").replace(BAD_BYTE.encode(), b"\xff"))
    except (OSError, ValueError):
        return  # a name that this file system does not take, or a file where a folder should be


def manifest(random: Random) -> Files:
    values: dict[str, Any] = {"name": "ok", "version": "1.0.0", **_optional(random)}
    if chance(random, 0.4):
        values["name"] = pick(random, "extension_names")
    for field in FIELDS:
        if chance(random, 0.08):
            values[field] = pick(random, "values")
        elif chance(random, 0.04):
            values.pop(field, None)
    written = as_json(random, random.choice([[values], *WORDS["values"]]) if chance(random, 0.05) else values)
    if chance(random, 0.1):
        written = written.replace("{", '{"name": "first", "version": 0, ', 1)
    files = dict.fromkeys(("GEMINI.md", "docs/a.md", "a b.md", "c%20d.md", ".hidden.md", "\u00a0"), "x")
    if chance(random, 0.3):
        hook = {"type": "command", "command": "${KEY} $KEY ${extensionPath}"}
        files["hooks/hooks.json"] = json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}})
    return {**files, MANIFEST: written}


def _optional(random: Random) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if chance(random, 0.5):
        named = [pick(random, random.choice(["context_names", "values"])) for _ in range(random.randint(0, 4))]
        values["contextFileName"] = named if chance(random, 0.4) else pick(random, "context_names")
    if chance(random, 0.4):
        names = [*WORDS["names"], "__proto__", "constructor"]
        values["mcpServers"] = {random.choice(names): server(random) for _ in range(random.randint(0, 2))}
    if chance(random, 0.4):
        values["settings"] = [setting(random) for _ in range(random.randint(0, 3))]
    if chance(random, 0.2):
        values["themes"] = [random.choice([pick(random, "values"), {"name": pick(random, "values"), "type": "custom"}])]
    return values


def server(random: Random) -> Any:
    if chance(random, 0.15):
        return pick(random, "values")
    keys = [key for key in WORDS["server_keys"] if chance(random, 0.2)]
    return {key: pick(random, random.choice(["values", "values", "server_values"])) for key in keys}


def setting(random: Random) -> Any:
    if chance(random, 0.1):
        return pick(random, "values")
    values = {
        "name": "Key",
        "envVar": "KEY",
        "description": "x",
        "sensitive": random.choice([True, False, None, "x", 0]),
    }
    for key in ("name", "envVar", "description"):
        if chance(random, 0.1):
            values[key] = pick(random, "values")
        elif chance(random, 0.05):
            del values[key]
    return values


def hooks(random: Random) -> Files:
    values: Any = {"hooks": {pick(random, "events"): definitions(random) for _ in range(random.randint(1, 4))}}
    if chance(random, 0.1):
        odd = pick(random, "values")
        values = random.choice([odd, {"hooks": odd}, values["hooks"], [values], {"hooks": [values["hooks"]]}])
    written = as_json(random, values)
    if chance(random, 0.05):
        return random.choice([{"hooks/hooks.json/x": "x"}, {"hooks.json": written}])
    return {"hooks/hooks.json": written}


def definitions(random: Random) -> Any:
    if chance(random, 0.1):
        return pick(random, "values")
    return [pick(random, "values") if chance(random, 0.1) else definition(random) for _ in range(random.randint(0, 3))]


def definition(random: Random) -> dict[str, Any]:
    made: dict[str, Any] = {"hooks": [hook(random) for _ in range(random.randint(0, 3))]}
    if chance(random, 0.1):
        made["hooks"] = pick(random, "values")
    if chance(random, 0.5):
        made["matcher"] = pick(random, random.choice(["matchers", "matchers", "values", "variables"]))
    if chance(random, 0.2):
        made["sequential"] = random.choice([True, False, pick(random, "values")])
    return made


def hook(random: Random) -> Any:
    if chance(random, 0.1):
        return pick(random, "values")
    made: dict[str, Any] = {"type": pick(random, "hook_types")}
    if chance(random, 0.85):
        made["command"] = pick(random, random.choice(["hook_commands", "hook_commands", "variables", "values"]))
    for key in ("name", "timeout", "description", "env", "args"):
        if chance(random, 0.25):
            made[key] = random.choice(["x", 5000, pick(random, "values")])
    return {**made, "__proto__": {"command": "x"}} if chance(random, 0.05) else made


def mixed(random: Random) -> Files:
    made: Files = {}
    for maker in random.sample([commands, skills, agents, hooks, policies], 3):
        made.update(maker(random))
    return made


MAKERS = (manifest, commands, skills, agents, hooks, policies, manifest, skills, agents, policies, commands, mixed)

if __name__ == "__main__":
    seed = int((sys.argv[3:] or ["1"])[0])
    print(len(generate(Path(sys.argv[1]), int(sys.argv[2]), seed)))
