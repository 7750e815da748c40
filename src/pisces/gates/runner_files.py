"""Files of a project that a program reads by itself and runs what they say: what a Makefile is to `make`.

Most are called after the program (`tox.ini`, `noxfile.py`, `.yarnrc.yml`, `eslint.config.js`, `Rakefile`), so programs
that nobody has heard of are covered too. Lock files are left out: they change with every install, and start nothing.
"""

from __future__ import annotations

import os

from pisces.files import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PYPROJECT = ("pyproject.toml",)
_PACKAGE = ("package.json",)
_COMPOSE = ("compose.yml", "compose.yaml", "compose.override.yml", "compose.override.yaml")
_OTHER_NAMES = {
    **dict.fromkeys(("npm", "npx"), (*_PACKAGE, ".npmrc")),
    **dict.fromkeys(("pnpm", "pnpx"), (*_PACKAGE, ".npmrc", ".pnpmfile.cjs", "pnpm-workspace.yaml")),
    **dict.fromkeys(("bun", "bunx"), (*_PACKAGE, ".npmrc", "bunfig.toml")),
    **dict.fromkeys(("yarn", "yarnpkg"), (*_PACKAGE, ".npmrc", ".yarnrc", ".yarnrc.yml")),
    **dict.fromkeys(("make", "gmake"), ("Makefile", "makefile", "GNUmakefile")),
    **dict.fromkeys(("uv", "uvx"), (*_PYPROJECT, "uv.toml")),
    **dict.fromkeys("poetry hatch pdm rye tox mypy".split(), _PYPROJECT),
    **dict.fromkeys("pytest py.test".split(), (*_PYPROJECT, "conftest.py", "tox.ini", "setup.cfg")),
    **dict.fromkeys("pip pip3".split(), (*_PYPROJECT, "setup.py", "setup.cfg")),
    **dict.fromkeys("invoke inv".split(), ("tasks.py",)),
    **dict.fromkeys("bundle bundler rails rspec".split(), ("Gemfile", ".bundle/config", ".rspec")),
    **dict.fromkeys(
        "gradle gradlew gradlew.bat".split(),
        (
            *(f"{name}.gradle{end}" for name in ("build", "settings", "init") for end in ("", ".kts")),
            "gradle.properties",
            *(f"gradle/wrapper/gradle-wrapper.{end}" for end in ("properties", "jar")),
        ),
    ),
    **dict.fromkeys(
        "mvn mvnw mvnw.cmd".split(),
        ("pom.xml", *(f".mvn/{name}" for name in "maven.config jvm.config extensions.xml".split())),
    ),
    **dict.fromkeys(
        "docker docker-compose podman podman-compose nerdctl".split(),
        ("Dockerfile", "Containerfile", *_COMPOSE, *(f"docker-{each}" for each in _COMPOSE)),
    ),
    **dict.fromkeys("nix nix-shell nix-build".split(), ("flake.nix", "shell.nix", "default.nix")),
    **dict.fromkeys("R Rscript".split(), (".Rprofile", ".Renviron")),
    **dict.fromkeys("tsx ts-node ts-node-esm".split(), ("tsconfig.json", *_PACKAGE)),
    **dict.fromkeys("bazel bazelisk".split(), ("BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel")),
    **dict.fromkeys("ansible ansible-playbook".split(), ("ansible.cfg",)),
    "husky": tuple(f".husky/{name}" for name in "pre-commit pre-push commit-msg post-checkout post-merge".split()),
    "lefthook": tuple(f"{dot}lefthook-local.{end}" for dot in ("", ".") for end in ("yml", "yaml", "toml", "json")),
    "nx": (*_PACKAGE, "project.json"),
    "turbo": _PACKAGE,
    "zig": ("build.zig", "build.zig.zon"),
    "cargo": ("Cargo.toml", "build.rs", ".cargo/config.toml", ".cargo/config"),
    "ant": ("build.xml",),
    "cmake": ("CMakeLists.txt", "CMakePresets.json"),
    "direnv": (".envrc",),
    "mise": (".mise.toml", ".tool-versions"),
    "pipenv": ("Pipfile",),
    "pre-commit": (".pre-commit-config.yaml",),
    "dotnet": ("global.json", "Directory.Build.props", "Directory.Build.targets", "nuget.config"),
    "swift": ("Package.swift",),
    "vim": (".exrc",),
    "nvim": (".exrc", ".nvimrc", ".nvim.lua"),
    "emacs": (".dir-locals.el",),
}  # fmt: skip
_SOURCES = {
    "go": (".go", ".mod"),
    "cargo": (".rs",),
    "dotnet": (".cs", ".fs", ".csproj", ".fsproj"),
    "swift": (".swift",),
}
_RUN = "run"
_ENDINGS = frozenset(
    " .js .mjs .cjs .ts .mts .cts .json .jsonc .json5 .toml .yaml .yml .ini .cfg .conf .py .rb .lua .kts .xml .exs .mk "
    ".mod .properties".split(" ")
)
_READ_ONLY_DATA = frozenset("ruff biome shellcheck rustfmt gofmt taplo".split())  # no file of theirs starts anything
_MOST_SOURCES = 5_000


def runner_files(words: Iterable[str], folder: str) -> Iterator[str]:
    """Paths below a folder, relative to it, that the programs among the words of a line read."""
    known = {*words} - _READ_ONLY_DATA
    for word in known:
        yield from _OTHER_NAMES.get(os.path.basename(word), ())
    plain = {each.lower() for each in known if not os.path.splitext(each)[1]}
    yield from (each.name for each in entries(folder) if not plain.isdisjoint(_owners(each.name)))


def _owners(name: str) -> tuple[str, ...]:
    """Programs that a file may be called after."""
    if os.path.splitext(name.lstrip("."))[1].lower() not in _ENDINGS:
        return ()
    stem = name.lstrip(".").partition(".")[0].lower()
    return stem, stem.removesuffix("rc"), stem.removesuffix("file")


def sources_run(words: Iterable[str], folder: str) -> Iterator[str]:
    """The sources below a folder that `go run` and its like build and start."""
    known = set(words)
    endings = tuple(end for name in _SOURCES if name in known and _RUN in known for end in _SOURCES[name])
    left = _MOST_SOURCES
    for here, folders, names in os.walk(folder) if endings else ():
        folders[:] = sorted(each for each in folders if each not in (".git", "node_modules", "target"))
        found = [os.path.join(here, name) for name in sorted(names) if name.lower().endswith(endings)][:left]
        left -= len(found)
        yield from found
