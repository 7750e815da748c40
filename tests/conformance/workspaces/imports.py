"""Made-up context files that import each other in every way that a Markdown text can name a file."""

from __future__ import annotations

from pathlib import Path
from random import Random

FILES = ("a.md", "b.md", "docs/c.md", "docs/d.md", "docs/deep/e.md", "docs/deep/f.txt", "notes", "x y.md", "g.png")
OUTSIDE = ("../outside.md", "~/own.md", "/etc/hostname", "../../outside.md")
FORMS = (
    "{0}",
    "See {0} now.",
    "{0} {1}",
    "Text\n{0}\n{1}",
    "# Title {0}",
    "> {0}",
    "> quote\n> {0}",
    "1. {0}",
    "- item {0}",
    "- one\n- two {0}\n  - three {1}",
    "`{0}`",
    "` {0} `",
    "`` {0} `` {1}",
    "a `b` {0} `c`",
    "```\n{0}\n```",
    "~~~\n{0}\n~~~",
    "```\n{0}\n```\n{1}",
    "text\n\n    {0}\n\ntext",
    "\t{0}",
    "<!-- {0} -->",
    "<!--\n{0}\n-->\n{1}",
    "x <!-- {0} --> {1}",
    "<div>\n{0}\n</div>\n\n{1}",
    "<b>{0}</b> {1}",
    "<details>\n\n{0}\n\n</details>",
    "**{0}**",
    "*{0}* and {1}",
    "[{0}](x)",
    "[see {0}](http://example.org)",
    "me{0}",
    "({0})",
    "{0}.",
    "{0},",
    "{0}#part",
    "| a | b |\n|---|---|\n| {0} | x |",
    "---",
    "{0}\n===",
    "\\{0}",
    "~~{0}~~",
    "{0}:{1}",
    "@{0}",
    '"{0}"',
    "- ` {0} `",
    "- a\n\n  {0}\n",
    "* * *\n{0}",
)


def plant_imports(root: Path, name: str, seed: int) -> None:
    """A context file of this name, and the files that it may import."""
    random = Random(seed)
    (root / ".git").mkdir(parents=True)
    (root.parent / "outside.md").write_text("outside\n", "utf-8")
    for file in (name, *FILES):
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        blocks = [_block(random, path.parent.relative_to(root)) for _ in range(random.randrange(1, 7))]
        path.write_text(f"This is {file}\n\n" + "\n\n".join(blocks) + "\n", "utf-8")


def _block(random: Random, folder: Path) -> str:
    return random.choice(FORMS).format(_name(random, folder), _name(random, folder))


def _name(random: Random, folder: Path) -> str:
    if random.random() < 0.15:
        return "@" + random.choice((*OUTSIDE, "missing.md", "someone", "types/node"))
    up = "/".join([".."] * len(folder.parts))
    target = random.choice(FILES)
    path = f"{up}/{target}" if up else target
    return "@" + random.choice(("", "./")) + (path.replace(" ", "\\ ") if random.random() < 0.8 else path)
