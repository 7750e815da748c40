"""Diffs in the editor: opened, closed on request, and the text returned as JSON."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any

from pisces.ide.client.wire import Failed
from pisces.ide.probe.probe import MUST, SHOULD, Ask, Finding, ProbeRule, broken, judged
from pisces.ide.probe.subject import ProbeSubject, Skip

_PROPOSED = "written by `pisces ide probe`\nnot a real change: ä 語 🐟\n"


def _with_diffs(ask: Any) -> Ask:
    async def asked(subject: ProbeSubject) -> Finding:
        if not subject.client.can_diff:
            raise Skip("it offers no diffs")
        if not subject.target.with_diffs:
            raise Skip("left out by `--no-diff`")
        try:
            found: Finding = await ask(subject)
        except Failed as error:
            return broken(f"a tool call failed: {error}")
        return found

    return asked


async def _listed(subject: ProbeSubject) -> Finding:
    missing = [name for name in ("openDiff", "closeDiff") if name not in subject.client.tools]
    return judged([f"`{name}` is not listed, so changes are shown in the terminal only" for name in missing])


async def _unknown(subject: ProbeSubject) -> Finding:
    problems, content = _json_content(await subject.call("closeDiff", {"filePath": _path("never-opened")}))
    return judged(problems + ([f"a diff that is not open has content {content!r}"] if content is not None else []))


async def _round(subject: ProbeSubject) -> Finding:
    path = _path("round")
    result = await subject.call("openDiff", {"filePath": path, "newContent": _PROPOSED})
    problems = [f"`openDiff` failed: {result.get('content')}"] if result.get("isError") else []
    if not problems and result.get("content") != []:
        problems.append("`openDiff` is answered with content, not with an empty list")
    wrong, content = _json_content(await subject.call("closeDiff", {"filePath": path, "suppressNotification": True}))
    problems += wrong
    if not problems and content != _PROPOSED:
        problems.append(f"an untouched diff comes back as {str(content)[:60]!r}")
    return judged(problems)


async def _silent(subject: ProbeSubject) -> Finding:
    await subject.quiet()
    sent = [method for method, _ in subject.heard if method.startswith("ide/diff")]
    return judged([f"`{method}` was sent for a diff that the client closed" for method in dict.fromkeys(sent)])


async def _emptied(subject: ProbeSubject) -> Finding:
    path = _path("emptied")
    await subject.call("openDiff", {"filePath": path, "newContent": ""})
    problems, content = _json_content(await subject.call("closeDiff", {"filePath": path}))
    return judged(problems + ([] if content == "" else [f"an empty text comes back as {content!r}"]))


async def _replaced(subject: ProbeSubject) -> Finding:
    path = _path("replaced")
    for text in ("first", "second"):
        await subject.call("openDiff", {"filePath": path, "newContent": text})
    problems, content = _json_content(await subject.call("closeDiff", {"filePath": path}))
    await subject.call("closeDiff", {"filePath": path})
    return judged(problems + ([] if content == "second" else [f"after two diffs of one file, {content!r} is open"]))


def _json_content(result: dict[str, Any]) -> tuple[list[str], str | None]:
    """The problems of a result of `closeDiff`, and the text in it."""
    if result.get("isError"):
        return [f"`closeDiff` failed: {result.get('content')}"], None
    blocks = result.get("content")
    texts = [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    if len(texts) != 1 or not isinstance(texts[0], str):
        return ["`closeDiff` is not answered with one text block"], None
    try:
        value = json.loads(texts[0])
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return ["`closeDiff` answers plain text, not JSON: Gemini CLI loses the user's edits"], None
    content = value.get("content")
    return ([] if content is None or isinstance(content, str) else ["`content` is not text"]), content


def _path(name: str) -> str:
    """A file that does not exist, so that no file of the user is shown or written."""
    return os.path.join(tempfile.gettempdir(), f"pisces-probe-{os.getpid()}-{name}.txt")


RULES = (
    ProbeRule("diff-tools", SHOULD, "`openDiff` and `closeDiff` are offered", _listed),
    ProbeRule("diff-unknown", MUST, "closing what is not open is no error", _with_diffs(_unknown)),
    ProbeRule("diff-round", MUST, "a diff is opened, closed, and comes back as JSON", _with_diffs(_round)),
    ProbeRule("diff-silent", MUST, "closing sends no notification", _with_diffs(_silent)),
    ProbeRule("diff-empty", MUST, "an empty text is a text", _with_diffs(_emptied)),
    ProbeRule("diff-replaced", SHOULD, "a second diff of a file replaces the first", _with_diffs(_replaced)),
)
