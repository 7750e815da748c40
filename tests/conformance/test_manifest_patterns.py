"""Patterns in the manifests of pi's packages: pisces against pi's own package manager, over one odd package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from bench import peers

from pisces.discovery.finders.modules import find
from pisces.discovery.found import Found
from pisces.discovery.harness import Run, Where
from pisces.discovery.options import Modules
from pisces.places import Places

HERE = Path(__file__).parent
FILES = """
index.ts a.ts b.js c.test.ts README.md .hidden.ts d.d.ts
extensions/one.ts extensions/two.js extensions/notes.md extensions/one.test.ts extensions/.dot.ts
extensions/kit/index.ts extensions/kit/lib.ts extensions/kit/test/kit.test.ts
extensions/deep/er/index.ts extensions/deep/er/util.ts extensions/deep/index.js
extensions/declares/main.ts extensions/declares/index.ts extensions/empty/readme.txt extensions/loose/x.ts
.secret/index.ts src/index.ts src/a1.ts src/a2.ts src/b1.ts lib/[x].ts
""".split()
SOURCES = """
./extensions/* extensions/* */index.ts ./*/index.ts **/*.ts ./**/*.ts extensions/**/index.ts extensions/** ** * ./*
*.ts ./*.ts *.{ts,js} ./src/a?.ts src/[ab]*.ts src/[!b]*.ts src/{a,b}1.* extensions/*/index.* extensions/*/*/*.ts
./extensions extensions/kit extensions/kit/ ./extensions/one.ts src . gone.ts gone/*.ts extensions/.* .*/*.ts
extensions/d*/ e*/k*t/*.ts **/kit/** **/*.test.ts ./src/../src/*.ts ?.ts
""".split()
OVERRIDES = """
!*.test.ts !**/*.test.ts !extensions/kit/** !extensions/*.ts !./extensions/one.ts !one.ts !**/index.ts !src/a?.ts !*
+extensions/one.test.ts +./extensions/one.test.ts +src/a1.ts -extensions/two.js -./index.ts -one.ts
!**/{one,two}.* !extensions/** !**/test/** !**/.dot.ts
""".split()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("export default function () {}\n")
    folder = tmp_path / "package" / "extensions" / "declares"
    (folder / "package.json").write_text('{"pi": {"extensions": ["./main.ts", "./gone.ts"]}}')
    return tmp_path / "package"


def _lists() -> list[list[str]]:
    """Each source alone, each exception after everything, and mixtures."""
    random = Random(os.environ.get("PISCES_ODD_SEED", "1"))
    mixed = [random.sample(SOURCES, 2) + random.sample(OVERRIDES, random.randint(0, 3)) for _ in range(150)]
    return [*([each] for each in SOURCES), *(["**/*.ts", "extensions/*", each] for each in OVERRIDES), *mixed]


def _ours(package: Path, entries: list[str]) -> set[str]:
    (package / "package.json").write_text(json.dumps({"name": "p", "pi": {"extensions": entries}}))
    options = Modules((".ts", ".js"), ("index.ts", "index.js"), (("package.json", ("pi",)),), declared=True)
    places = Places(str(package.parent), str(package))
    where = Where(places, Run(), "modules", "pi", "pi", "user", str(package), options)
    found = {each.item.path for each in find(where) if isinstance(each, Found)}
    (package / "package.json").unlink()
    return found


def _is_explained(path: str) -> bool:
    """pi hands whatever a pattern fits to its importer: a README, and files that only declare types."""
    return path.endswith(".d.ts") or not path.endswith((".ts", ".js"))


def test_a_manifest_means_the_same_files_as_in_pi(package: Path) -> None:
    node, program = shutil.which("node"), peers.package("@mariozechner/pi-coding-agent")
    if node is None or program is None:
        pytest.skip("needs node and @mariozechner/pi-coding-agent@0.73.1 in PISCES_PEERS")
    lists = _lists()
    questions = json.dumps([{"entries": each, "root": str(package)} for each in lists])
    command = [node, str(HERE / "pi_manifest_entries.mjs"), str(program)]
    done = subprocess.run(command, input=questions, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    differences = []
    for entries, theirs in zip(lists, json.loads(done.stdout.splitlines()[-1]), strict=True):
        ours = _ours(package, entries)
        odd = [each for each in ours ^ set(theirs) if not _is_explained(each)]
        differences += [f"{entries}: only {'ours' if each in ours else 'theirs'}: {each}" for each in sorted(odd)]
    assert not differences, "\n".join(differences)
