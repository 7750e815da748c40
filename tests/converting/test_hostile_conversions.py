"""Packages that mean harm, and records that lie: problems in the report, never a crash, never a file outside."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

from pisces.converting.convert import ConvertRequest, convert
from pisces.converting.origin import ORIGIN, is_inner_path
from pisces.converting.output import apply, planned
from pisces.converting.plugin import Plugin, PluginAgent, PluginCommand, PluginSkill
from pisces.converting.writer import WriteOptions, Writer, all_writers
from pisces.diagnostics import PiscesError
from tests.converting.generated_plugins import plugin_tree
from tests.converting.test_convert import places_of, put
from tests.converting.test_round_trip import FORMATS, converted, planted
from tests.growth import LINEAR, growth

BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ndescription: *c\n"
TARGETS = ("claude", *FORMATS)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", range(6))
def test_a_package_of_broken_files_is_converted_or_refused_with_a_reason(
    seed: int, target: str, tmp_path: Path
) -> None:
    draw = Random(seed)
    tree = plugin_tree(seed)
    for path in list(tree):
        damage = draw.randrange(5)
        cut = draw.randrange(len(tree[path]) + 1)
        bytes_of = {0: tree[path][:cut], 1: tree[path][:cut] + b"\xff\x00" + tree[path][cut:], 2: b"[" * 5000, 3: b""}
        tree[path] = bytes_of.get(damage, tree[path])
    source = planted(tmp_path / "source", {**tree, "skills/bomb/SKILL.md": f"---\n{BOMB}---\nx\n".encode()})
    made = convert(ConvertRequest(str(source), target, only="claude-plugin"), places_of(tmp_path))
    assert all(is_inner_path(each.path) for each in made.files)
    assert len({each.path for each in made.files}) == len(made.files)


@pytest.mark.parametrize("target", TARGETS)
def test_names_from_a_manifest_do_not_lead_out(target: str, tmp_path: Path) -> None:
    names = ("../../up", "/root", "..", "a/../../b", "c:\\d", "e\nf", ".", "x" * 400, "CON", "a:b", "\u202eab")
    manifest = {
        "name": "../evil",
        "commands": {name: {"content": "x", "description": "d"} for name in names},
        "mcpServers": {name: {"command": "x"} for name in names},
        "agents": ["./../../outside.md"],
        "skills": ["./../.."],
    }
    source = planted(tmp_path / "a/b/source", {".claude-plugin/plugin.json": json.dumps(manifest).encode()})
    made = convert(ConvertRequest(str(source), target, only="claude-plugin"), places_of(tmp_path))
    assert all(is_inner_path(each.path) for each in made.files)


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("seed", range(4))
def test_a_record_with_any_change_is_refused_or_harmless(seed: int, target: str, tmp_path: Path) -> None:
    """Whatever stands in it, only files of the package or of the record itself are given back."""
    draw = Random(seed)
    source = planted(tmp_path / "source", plugin_tree(seed))
    secret = planted(tmp_path, {"secret.txt": b"secret"}) / "secret.txt"
    converted(source, target, tmp_path / "out")
    record = json.loads((tmp_path / "out" / ORIGIN).read_text("utf-8"))
    odd: tuple[object, ...] = ("../secret.txt", str(secret), "secret", "", None, 7, [], {"a": 1})
    for part in ("sources", "outputs"):
        for path in draw.sample(sorted(record[part]), min(3, len(record[part]))):
            record[part][path][draw.choice(("sha256", "output", "text", "base64", "from"))] = draw.choice(odd)
        record[part][draw.choice(("../x", "ok", ORIGIN))] = {"sha256": "0" * 64, "output": "../secret.txt"}
    (tmp_path / "out" / ORIGIN).write_text(json.dumps(record), "utf-8")
    made = convert(ConvertRequest(str(tmp_path / "out"), "claude", only=FORMATS[target]), places_of(tmp_path))
    assert all(is_inner_path(each.path) for each in made.files)
    assert not any(each.data == b"secret" for each in made.files)
    assert not any("secret" in each.source for each in made.files)


def test_a_record_cannot_name_a_folder_behind_a_link(tmp_path: Path) -> None:
    outside = planted(tmp_path / "outside", {"key": b"secret"})
    source = planted(tmp_path / "source", {".claude-plugin/plugin.json": b'{"name": "demo"}', "data/key": b"secret"})
    out = tmp_path / "out"
    converted(source, "codex", out)
    (out / "data/key").unlink()
    (out / "data").rmdir()
    (out / "data").symlink_to(outside)
    made = convert(ConvertRequest(str(out), "claude", only="codex-plugin"), places_of(tmp_path))
    assert not any(each.data == b"secret" or each.source == "data/key" for each in made.files)


def test_a_source_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    if sys.platform == "win32" or os.geteuid() == 0:
        pytest.skip("needs a user whom permissions bind")
    source = planted(tmp_path / "source", {".claude-plugin/plugin.json": b'{"name": "demo"}', "data.bin": b"x"})
    (source / "data.bin").chmod(0)
    made = convert(ConvertRequest(str(source), "codex"), places_of(tmp_path))
    assert "convert-not-recorded" in {each.code for each in made.fates}
    with pytest.raises(PiscesError):
        apply(planned(made.files, made.folder, str(tmp_path / "out")), str(tmp_path / "out"))


@pytest.mark.parametrize("target", [each.id for each in all_writers()])
def test_headers_that_are_endless_where_aliases_are_written_out_end_soon(target: str, tmp_path: Path) -> None:
    levels = "".join(f"{name}: &{name} [{', '.join([f'*{chr(ord(name) - 1)}'] * 9)}]\n" for name in "bcdefghij")
    keys = "other description tools argument-hint name model platforms arguments allowed-tools metadata skills".split()
    files = {".claude-plugin/plugin.json": '{"name": "demo"}'}
    for key in keys:
        for value in ("*j", "&x [*x]", "&x {a: *x}"):
            page = f"---\na: &a [x]\n{levels}{key}: {value}\n---\nx"
            name = f"{key}-{len(files)}"
            files |= {f"skills/{name}/SKILL.md": page, f"commands/{name}.md": page, f"agents/{name}.md": page}
    source = put(tmp_path / "plugin", files)
    before = process_time()
    converted = convert(ConvertRequest(str(source), target, only="claude-plugin"), places_of(tmp_path))
    assert process_time() - before < 10
    assert sum(len(each.data or b"") for each in converted.files) < 5_000_000
    assert any("aliases" in f"{each.message} {each.hint}" for each in converted.diagnostics)


@pytest.mark.parametrize("target", all_writers(), ids=lambda each: each.id)
def test_the_cost_of_a_writer_grows_with_the_number_of_items(target: Writer) -> None:
    def write(count: int) -> None:
        items: dict[str, Any] = {
            "commands": tuple(PluginCommand(f"c{each}", f"commands/c{each}.md") for each in range(count)),
            "agents": tuple(PluginAgent(f"a{each}", f"agents/a{each}.md") for each in range(count)),
            "skills": tuple(PluginSkill(f"s{each}", f"skills/s{each}/SKILL.md") for each in range(count)),
        }
        target.write(Plugin("demo", "1.0.0", "", "claude", "", **items), WriteOptions())

    assert growth(write, 400) < LINEAR
