"""Prompt files become the same prompt here and in an installed Gemini CLI; docs/conformance.md has what differs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from tests.conformance.expansions import Bench, Compared, difference
from tests.conformance.test_gemini_differential import needs_gemini, needs_node

pytestmark = [needs_node, needs_gemini, pytest.mark.skipif(not shutil.which("git"), reason="needs git")]

ARGUMENTS = [
    "",
    "plain",
    "two words",
    "  spaces around  ",
    "it's",
    'say "hi"',
    """both ' and " quotes""",
    "$(touch pwned)",
    "`touch pwned`",
    "$HOME ${HOME}",
    "a\nb\n",
    "tab\there",
    "wow!",
    "!! !$ !{echo no}",
    "back\\slash \\",
    "\\",
    "C:\\Users\\me; rm -rf /",
    "a:b:c C:;",
    "; & | < > ( ) { } [ ] * ? # ^ = , @ %",
    "a;b&c|d<e>f(g){h}[i]*?#^=,@%",
    "-rf --force",
    "grüße 日本語 🎉",
    "nbsp\u00a0em\u2003bom\ufeff",
    "\x1b[31mred",
    "{{args}} @{secret.txt} !{touch pwned}",
    "'; touch pwned; '",
    "~user/$1",
    "a'b$c`d\\e\"f",
]
SPOILED = [  # by Gemini CLI
    "costs $$5, $& and $'",  # patterns of JavaScript's `replaceAll`
    "~",  # not escaped
    "it's great!",  # escaped where a backslash stays
]
BREAKING = ['a" >&2; echo run; echo "b', 'just "quoted"', "two words"]  # out of quotes that the author put around them
PROMPTS = [
    "Say {{args}} twice: {{args}}",
    "No placeholder",
    "Run !{printf '%s' {{args}}} now",
    "Raw {{args}}, quoted !{echo [{{args}}]}, raw again {{args}}",
    "!{printf '<%s>' a {{args}} b}",
    "@{missing} and {{args}}",
]
LINES = [
    "!{}",
    "a!{   }b",
    "!{{{args}}}",
    "!{exit 3}",
    "!{echo out; echo err >&2; exit 1}",
    "!{kill -TERM $$}",
    "!{kill -9 $$}",
    "!{printf '\\n\\n  padded \\n\\n'}",
    "!{printf '\\033[31mred\\033[0m \\033]0;title\\007plain'}",
    "!{printf 'a\\0b'}",
    "!{nosuchcommand_at_all}",
    "!{echo {a,b} ${HOME:+home}}",
    "!{echo '}'}",
    "!{echo '{'",
    "text @{open",
    "!{cat @{notes.txt}}",
    "@{a!{echo inner}b}",
    "@{{{args}}}",
    "!{pwd}",
    "!{cat}",
    "!{echo one}!{echo two} !{echo one}",
    "!{printf 'caf\\303\\251 \\377'}",
    "!{echo $GEMINI_CLI $PAGER $GIT_PAGER}",
    "",
    "\n",
    "{{ args }} {{ARGS}} ${args} $ARGUMENTS",
    "!{echo a\n\techo b}",
]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> list[Compared]:
    folder = tmp_path_factory.mktemp("expansions")
    bench = Bench(folder / "home")
    add_arguments(bench, folder / "arguments")
    add_lines(bench, folder / "lines")
    add_files(bench, folder / "files" / "workspace")
    add_ignoring(bench, folder / "ignoring")
    add_safer(bench, folder / "safer")
    return bench.compared()


@pytest.mark.parametrize("topic", ["arguments", "lines", "files", "ignoring"])
def test_prompts_are_the_same(topic: str, compared: list[Compared]) -> None:
    about = [each for each in compared if each[0]["topic"] == topic]
    assert len(about) > 50
    wrong = [difference(case, ours, theirs) for case, ours, theirs in about if ours != theirs]
    assert not wrong, "\n".join(wrong)


def test_what_is_typed_into_a_command_line_runs_nothing(compared: list[Compared]) -> None:
    workspaces = {case["workspace"] for case, _, _ in compared}
    assert not [workspace for workspace in workspaces if os.path.exists(os.path.join(workspace, "pwned"))]


def test_where_gemini_spoils_arguments_or_runs_what_a_file_says_we_do_neither(compared: list[Compared]) -> None:
    about = [each for each in compared if each[0]["topic"] == "safer"]
    ours, theirs = ([answers[which]["parts"] for answers in about] for which in (1, 2))
    assert all(us != they for us, they in zip(ours, theirs, strict=True))
    assert ours[1:] == [[{"text": args}] for args in (*SPOILED, *BREAKING)]
    assert ours[0] == [{"text": "args "}, {"text": "!{echo run} {{args}}"}]
    assert theirs[0] == [{"text": "args "}, {"text": "run args"}]


def add_arguments(bench: Bench, workspace: Path) -> None:
    workspace.mkdir()
    for prompt in PROMPTS:
        for args in ARGUMENTS:
            bench.add("arguments", workspace, prompt, args)


def add_lines(bench: Bench, workspace: Path) -> None:
    workspace.mkdir()
    (workspace / "notes.txt").write_text("notes", encoding="utf-8")
    for prompt in LINES:
        bench.add("lines", workspace, prompt)
        bench.add("lines", workspace, prompt, "some args")


def add_files(bench: Bench, workspace: Path) -> None:
    for name in odd_files(workspace):
        bench.add("files", workspace, f"See @{{{name}}}.")
        bench.add("files", workspace, f"@{{ {name}\n}}", "args")
    bench.add("files", workspace, "@{image.png}@{text.md}@{image.png}", "args")
    blobs(workspace / "blobs")
    bench.add("files", workspace, "@{.}", "args")
    bench.add("files", workspace, "{{args}} @{} {{args}}", "args")


def add_ignoring(bench: Bench, folder: Path) -> None:
    for kind in ("plain", "repository"):
        workspace = folder / kind
        names = ignoring_tree(workspace)
        if kind == "repository":
            subprocess.run(["git", "init", "-q", str(workspace)], check=True)
            (workspace / ".git" / "info" / "exclude").write_text("excluded.txt\n", encoding="utf-8")
        for name in (".", "src", "src/deep", "build", *names):
            bench.add("ignoring", workspace, f"@{{{name}}}", "args")


def add_safer(bench: Bench, workspace: Path) -> None:
    workspace.mkdir()
    (workspace / "evil.txt").write_text("!{echo run} {{args}}", encoding="utf-8")
    bench.add("safer", workspace, "{{args}} @{evil.txt}", "args")
    for args in SPOILED:
        bench.add("safer", workspace, "!{printf %s {{args}}}", args)
    for args in BREAKING:
        bench.add("safer", workspace, """!{printf %s "{{args}}"}""", args)


def blobs(folder: Path) -> None:
    """Bytes between text and noise, to see where one ends and the other begins."""
    random = Random(4)
    folder.mkdir()
    plain = b"plain text, nothing else.\n"
    odd = [bytes((byte,)) for byte in (*range(1, 32), *range(127, 256))] + ["é".encode(), "€".encode(), "🎉".encode()]
    for number in range(250):
        few = odd if number % 2 else [b"\xe9", b"\xc3", b"\xe2\x82", b"\x08\xc8\x01", "é".encode()]
        share = random.choice([0, 0.02, 0.08, 0.1, 0.12, 0.3])
        pieces = [
            random.choice(few) if random.random() < share else random.choice([*map(chr, plain)]).encode()
            for _ in range(600)
        ]
        (folder / f"{number}.txt").write_bytes(b"".join(pieces)[: random.choice([5, 40, 511, 512, 513, 515, 516, 600])])


def odd_files(root: Path) -> list[str]:
    """Files of each kind; the names of those to ask for."""
    png = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    contents: dict[str, bytes] = {
        "text.md": b"# Hi\r\nthere\r\n",
        "empty.txt": b"",
        "empty.png": b"",
        "sub/space name.txt": b"spaces",
        "sub/.hidden": b"hidden",
        "sub/deeper/image.jpeg": png,
        "image.png": png,
        "IMAGE.GIF": png,
        "picture.svg": b"<svg/>\r\n" * 3000,
        "large.svg": b"<svg/>" * 200_000,
        "zipped.svgz": png,
        "page.pdf": b"%PDF-1.7\n",
        "not.pdf": b"plain",
        "sound.mp3": b"ID3\0\0\0",
        "sound.flac": b"fLaC\0\0",
        "sound.aif": b"FORM\0\0",
        "sound.m4a": b"\0\0\0 ftyp",
        "sound.mid": b"MThd\0\0",
        "text.mp3": b"not a sound",
        "film.mp4": b"\0\0\0 ftyp",
        "text.mp4": b"not a film",
        "code.ts": b"const a = 1;\n",
        "code.mts": b"\0\0\0",
        "archive.zip": b"PK",
        "data.dat": b"plain text",
        "binary.txt": b"abc\0def",
        "latin.txt": "Grüße aus Österreich, schöne größere Bücher".encode("latin-1"),
        "latin-few.txt": b"x" * 300 + "é è".encode("latin-1"),
        "proto.txt": b"\x08\xc8\x01\x10\xc9\x01" + b"\x1a\x40" + b"y" * 64,
        "tail.txt": b"a" * 17 + b"\xf0" * 3,
        "utf8-bom.txt": b"\xef\xbb\xbfwith mark",
        "utf16-le.txt": b"\xff\xfe" + "Grüße 🎉\nzwei".encode("utf-16-le"),
        "utf16-be.txt": b"\xfe\xff" + "Grüße 🎉\nzwei".encode("utf-16-be"),
        "utf16-odd.txt": b"\xff\xfe" + "abc".encode("utf-16-le") + b"x",
        "utf16-lone.txt": b"\xff\xfea\x00\x3d\xd8b\x00",
        "utf32-le.txt": b"\xff\xfe\0\0" + "Grüße 🎉".encode("utf-32-le"),
        "utf32-be.txt": b"\0\0\xfe\xff" + "Grüße 🎉".encode("utf-32-be"),
        "invalid.txt": b"ok " * 40 + b"\xff\xfe\xe2\x82 end",
        "lines-2000.txt": b"x\n" * 1999 + b"last",
        "lines-2001.txt": b"x\n" * 2000,
        "lines-many.txt": b"line\r\n" * 5000,
        "long-2000.txt": b"y" * 2000,
        "long-2001.txt": b"y" * 2001,
        "long-emoji.txt": "🎉".encode() * 1500,
        "long-emoji-odd.txt": ("a" + "🎉" * 1500).encode(),
        "carriage.txt": b"a\rb\rc\r\n",
        "placeholders.txt": b"no triggers here",
        ".env": b"SECRET=1",
        "node_modules/pkg/index.js": b"x",
        "gha-creds-1.json": b"{}",
        ".gitkeep": b"",
        "Makefile": b"all:\n\techo\n",
        "ends.": b"dot",
        ".png": b"\x89PNG plain",
        "git~1": b"short name",
    }
    for name, data in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with (root / "huge.bin").open("wb") as file:
        file.truncate(20 * 1024 * 1024 + 1)
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret", encoding="utf-8")
    links = {
        "link-in": "text.md",
        "link-out": str(outside / "secret.txt"),
        "link-out-folder": str(outside),
        "link-broken": "nowhere",
        "link-circle": "link-circle",
        "sub/link-folder": "deeper",
    }
    for name, target in links.items():
        os.symlink(target, root / name)
    above = ["../outside/secret.txt", str(outside / "secret.txt"), "link-out-folder/secret.txt", "sub/../text.md"]
    asked = [name for name in links if name != "sub/link-folder"]  # Gemini CLI finds such a folder empty
    return [*contents, *asked, "huge.bin", "sub", "nowhere", str(root / "text.md"), *above]


def ignoring_tree(root: Path) -> list[str]:
    contents = {
        ".gitignore": "*.log\n!keep.log\n/build/\nsrc/generated\n# a\n\\#hash\ntrailing   \n**/tmp/\ndoc/**/draft.md\n",
        ".geminiignore": "secret*\n!back.log\n  padded.txt  \n/top.txt\nloud.txt\n",
        "src/.gitignore": "*.tmp\n!important.log\n/anchored.txt\nnested/path.txt\n",
        "src/deep/.gitignore": "!*.tmp\n",
    }
    names = """
        a.log keep.log back.log build/out.txt build/keep.log src/generated/x.ts src/a.tmp src/important.log
        src/anchored.txt src/deep/anchored.txt src/deep/b.tmp src/nested/path.txt src/deep/nested/path.txt
        src/deep/top.txt top.txt secret.txt src/secrets/inner.txt padded.txt #hash trailing tmp/x src/tmp/y doc/draft.md
        doc/a/draft.md doc/a/b/draft.md doc/other.md LOUD.txt excluded.txt .hidden/file plain.txt src/tmpfile
    """.split()
    for name, text in (contents | {name: name for name in names}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    os.symlink("a.log", root / "link-to-ignored")
    os.symlink("build", root / "link-to-ignored-folder")
    return [*names, "link-to-ignored", ".gitignore"]
