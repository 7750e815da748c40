"""Which modules would run: pisces against the real loaders of oh-my-pi and pi, over generated folders.

Both must find the same files, stage by stage: in native roots, then for each configured path. Every difference has to
have one of the reasons below; they are ours on purpose, or theirs since the seed was written.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Container
from pathlib import Path

import pytest
from bench import peers

from pisces.modules.entries import module_entries
from pisces.places import Places
from tests.conformance.module_trees import Tree

HERE = Path(__file__).parent
COUNT = 40
SEED = os.environ.get("PISCES_ODD_SEED", "1")

OMP_REASONS = {
    "declaration": "omp runs `.d.ts` files",
    "same name": "omp runs one module of a name in its native roots",
    "fallback": "an index stands in where no declared entry exists (the seed, pi); omp has stopped that",
    "missing": "a configured file that is missing is a diagnostic here, and an entry that fails there",
    "whole folder": "an entry that is a folder without an index means the modules in it; omp passes it over",
    "dependencies": "`node_modules` is nobody's module here",
    "linked": "omp does not ask .gitignore about files in a folder that is a link",
    "suffix": "`.mjs` and `.mts` files count here",
}
PI_REASONS = OMP_REASONS | {
    "hidden": "pi runs hidden files of native roots",
    "ignored": "pi does not read .gitignore",
    "folder": "pi hands a declared folder to its importer as it is",
    "dangling": "pi tries links that lead nowhere",
}


class Comparison:
    """Trees below a folder, the user's home among them, and what both programs make of them."""

    def __init__(self, folder: Path, root: str, agent: str, keys: tuple[str, ...]) -> None:
        self.home = folder / "home"
        self.agent = self.home / agent
        self.trees = [Tree(folder / f"tree-{number:03}", f"{SEED}/{number}", root, keys) for number in range(COUNT)]
        self.trees[0].fill(self.agent / "extensions")
        self.trees[0].fill(self.home / "shared")
        self._root = root

    def ask(self, command: list[str]) -> list[list[str]]:
        """What the other program lists for each tree."""
        questions = [{"cwd": str(t.cwd), "configured": t.configured, "agent": str(self.agent)} for t in self.trees]
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "NO_COLOR": "1"}
        done = subprocess.run(
            command,
            input=json.dumps(questions),
            env=env,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        answers: list[list[str]] = json.loads(done.stdout.splitlines()[-1])
        return answers

    def ours(self, tree: Tree) -> list[str]:
        """pisces's roots are called otherwise, so they are links to those of the other program."""
        native = tree.cwd / ".pisces"
        native.symlink_to(self._root)
        found = module_entries(
            Places(str(self.home), str(tree.cwd), {"PI_CODING_AGENT_DIR": str(self.agent)}), tree.configured
        )
        native.unlink()
        return [
            entry.path.replace(str(native) + os.sep, str(tree.cwd / self._root) + os.sep) for entry in found.running
        ]


def _reason(path: str, both: set[str], *, is_ours: bool) -> str:
    """Why only one of the two has a path; empty where there is no reason."""
    folder, name = os.path.split(path)
    if "node_modules" in path.split(os.sep):
        return "dependencies"
    if is_ours:
        return _reason_of_ours(path, folder, name, both)
    if name.endswith(".d.ts"):
        return "declaration"
    if not os.path.lexists(path) or not os.path.exists(path):
        return "dangling" if os.path.lexists(path) else "missing"
    if os.path.isdir(path):
        return "folder"
    if name.startswith("."):
        return "hidden"
    if not _is_in_root(path):
        return ""
    return "linked" if os.path.islink(folder) else "ignored"


def _reason_of_ours(path: str, folder: str, name: str, both: set[str]) -> str:
    if name.endswith((".mjs", ".mts")):
        return "suffix"
    if _is_in_root(path) and any(_name(path) == _name(other) for other in both if _is_in_root(other)):
        return "same name"
    declared = _declared(folder)
    if (
        name.startswith("index.")
        and declared
        and not any(os.path.exists(os.path.join(folder, each)) for each in declared)
    ):
        return "fallback"
    if any(os.path.normpath(os.path.join(folder, each)) == folder for each in declared):
        return "folder"
    above = _declared(os.path.dirname(folder))
    if any(os.path.normpath(os.path.join(os.path.dirname(folder), each)) == folder for each in above):
        return "whole folder"
    return ""


def _declared(folder: str) -> list[str]:
    try:
        manifest = json.loads(Path(folder, "package.json").read_text())
    except (OSError, ValueError):
        return []
    part = manifest.get("omp") or manifest.get("pi") or {}
    return [each for each in part.get("extensions", ()) if isinstance(each, str)]


def _is_in_root(path: str) -> bool:
    return f"{os.sep}extensions{os.sep}" in path


def _name(path: str) -> str:
    folder, file = os.path.split(path)
    return os.path.basename(folder) if file in ("index.ts", "index.js") else os.path.splitext(file)[0]


def _unexplained(comparison: Comparison, answers: list[list[str]], reasons: Container[str]) -> list[str]:
    unexplained: list[str] = []
    for tree, theirs in zip(comparison.trees, answers, strict=True):
        ours = comparison.ours(tree)
        both = set(ours) & set(theirs)
        for path in set(ours) ^ set(theirs):
            reason = _reason(path, both, is_ours=path in ours)
            if reason not in reasons:
                who = "ours" if path in ours else "theirs"
                unexplained.append(f"only {who}: {path} (configured: {tree.configured})")
        unexplained += _out_of_order(
            tree, [each for each in ours if each in both], [each for each in theirs if each in both]
        )
    return unexplained


def _out_of_order(tree: Tree, ours: list[str], theirs: list[str]) -> list[str]:
    """Stages come in the same order: the project's root, the user's, then what is configured."""

    def stages(paths: list[str]) -> list[str]:
        found = [
            os.path.dirname(path).split(f"{os.sep}extensions")[0] if _is_in_root(path) else "configured"
            for path in paths
        ]
        return list(dict.fromkeys(found))

    return [] if stages(ours) == stages(theirs) else [f"{tree.cwd}: {stages(ours)} != {stages(theirs)}"]


def test_oh_my_pi_finds_the_same_modules(tmp_path: Path) -> None:
    bun, package = peers.bun(), peers.package("@oh-my-pi/pi-coding-agent")
    if bun is None or package is None:
        pytest.skip("needs bun and @oh-my-pi/pi-coding-agent@18.2.3 in PISCES_PEERS")
    comparison = Comparison(tmp_path, ".omp", ".omp/agent", ("omp", "pi"))
    answers = comparison.ask([bun, str(HERE / "omp_entries.mjs"), str(package)])
    unexplained = _unexplained(comparison, answers, OMP_REASONS)
    assert not unexplained, "\n".join(unexplained)


def test_pi_finds_the_same_modules(tmp_path: Path) -> None:
    node, package = shutil.which("node"), peers.package("@mariozechner/pi-coding-agent")
    if node is None or package is None:
        pytest.skip("needs node and @mariozechner/pi-coding-agent@0.73.1 in PISCES_PEERS")
    comparison = Comparison(tmp_path, ".pi", ".pi/agent", ("pi",))
    answers = comparison.ask([node, str(HERE / "pi_entries.mjs"), str(package)])
    unexplained = _unexplained(comparison, answers, PI_REASONS)
    assert not unexplained, "\n".join(unexplained)
