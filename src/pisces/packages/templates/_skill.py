"""The skill that several templates bring: writing release notes."""

from __future__ import annotations

BODY = """
# Release notes

Notes are for the people who use the project, not for those who wrote it.

1. Find the last release: the newest tag, or the top entry of the changelog.
2. Read every commit since then, and the code where a message does not say what changed for a user.
3. Leave out what users cannot notice: refactoring, tests, build scripts, typing.
4. Sort the rest into *Changed in a way that needs action*, *New*, *Fixed*; leave empty groups out.
5. Write one sentence for each. Begin with what the user can do or see now. Name the command, option or function.
6. For everything that needs action, show the old and the new way.
7. Check each sentence against the code once more. What cannot be verified does not go in.

Read [references/style.md](references/style.md) before writing the first sentence.
"""

STYLE = """# How the notes are written

* Present tense, active voice: "`export` writes UTF-8", not "support for UTF-8 was added".
* One change, one sentence. No names of people, no issue numbers in the middle of a sentence; links go to the end.
* A fix says what went wrong before: "`export` no longer loses the last line of a file without a line end".
* No praise: leave out powerful, seamless, exciting and improved.
"""


def skill_files(folder: str, name: str) -> dict[str, str]:
    """The skill's files below a folder, which ends with `/` or is empty."""
    description = "Writes release notes from the commits since the last release. Use when asked for a changelog entry."
    header = f"---\nname: {name}\ndescription: {description}\n---\n"
    return {f"{folder}SKILL.md": header + BODY, f"{folder}references/style.md": STYLE}
