"""A session on disk: what is written is read again, whatever happened in between."""

from __future__ import annotations

import json
import os
import random
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pisces.agent.message_json import json_of_message, message_of_json
from pisces.agent.transcript import (
    COMPACTION,
    CUSTOM,
    Transcript,
    memory_transcript,
    new_transcript,
    open_transcript,
    read_transcript,
)
from pisces.agent.transcript_context import UNKNOWN_RESULT, context_entries, whole_conversation
from pisces.agent.transcript_entry import TranscriptEntry, entry_of, line_of
from pisces.agent.transcript_pieces import pieces
from pisces.agent.transcript_places import delete_session
from pisces.diagnostics import Diagnostic, PiscesError
from pisces.places import Places
from pisces.shapes.message import (
    BY_MODEL,
    BY_USER,
    CallPart,
    ChatMessage,
    ImagePart,
    ResultPart,
    TextPart,
    ThinkingPart,
)

NO_FACTS: dict[str, object] = {}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "work").mkdir()
    return Places(str(tmp_path), str(tmp_path / "work"), {})


def said(text: str) -> ChatMessage:
    return ChatMessage(BY_USER, (TextPart(text),))


def answer(text: str) -> ChatMessage:
    return ChatMessage(BY_MODEL, (TextPart(text),), "anthropic")


def written(places: Places, *texts: str) -> Transcript:
    made = new_transcript(places)
    for text in texts:
        made.append_message(said(text), NO_FACTS)
    return made


def texts(transcript: Transcript) -> list[str]:
    return [each.text for each in transcript.messages]


def problems_of(transcript: Transcript) -> list[Diagnostic]:
    heard: list[Diagnostic] = []
    transcript.report_to(heard.append)
    return heard


def codes_of(transcript: Transcript) -> list[str]:
    return [each.code for each in problems_of(transcript)]


ANY = st.text(max_size=30)
PLAIN = st.none() | st.booleans() | st.integers() | ANY
JSON = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
INNER = st.builds(TextPart, ANY, ANY) | st.builds(ImagePart, ANY, ANY)
PARTS = (
    INNER
    | st.builds(ThinkingPart, ANY, ANY, ANY, ANY)
    | st.builds(CallPart, ANY, ANY, st.dictionaries(ANY, JSON, max_size=3), ANY, ANY, ANY)
    | st.builds(ResultPart, ANY, ANY, st.lists(INNER, max_size=3).map(tuple), st.booleans())
)
MESSAGES = st.builds(ChatMessage, st.sampled_from((BY_USER, BY_MODEL)), st.lists(PARTS, max_size=4).map(tuple), ANY)


@given(MESSAGES)
def test_a_message_is_the_same_after_json(message: ChatMessage) -> None:
    assert message_of_json(json.loads(json.dumps(json_of_message(message)))) == message


@pytest.mark.parametrize("text", ["\ud800 half", "\x00 nul", "line\u2028end", "\x1b[31m", "𝄞", '"} \\'])
def test_odd_characters_are_the_same_after_reopening(places: Places, text: str) -> None:
    written(places, text).close()
    assert texts(open_transcript("last", places)) == [text]


def test_what_is_resumed_is_what_was_said(places: Places) -> None:
    made = written(places, "one", "two")
    made.append_message(answer("three"), {"usage": {"input": 5, "output": 2}, "cost": 0.25, "model": "a/b"})
    made.close()
    again = open_transcript("last", places)
    assert again.messages == (said("one"), said("two"), answer("three"))
    assert (again.id, again.cost, again.usage.input, again.totals.model) == (made.id, 0.25, 5, "a/b")
    assert problems_of(again) == []


def test_a_session_in_which_nothing_was_said_leaves_no_file(places: Places) -> None:
    new_transcript(places).close()
    assert not Path(places.agent_dir).exists()


def test_only_the_user_can_read_a_session(places: Places) -> None:
    made = written(places, "secret", "x" * 50_000)
    assert stat.S_IMODE(os.stat(made.path).st_mode) == 0o600
    for folder in (os.path.dirname(made.path), os.path.dirname(os.path.dirname(made.path)), made.folder):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    stored = next(Path(made.folder, "texts").iterdir())
    assert stat.S_IMODE(stored.stat().st_mode) == 0o600


def test_another_branch_begins_at_any_entry(places: Places) -> None:
    made = written(places, "one")
    start = made.leaf
    made.append_message(said("two"), NO_FACTS)
    left = made.leaf
    made.walk(start)
    made.append_message(said("three"), NO_FACTS)
    assert texts(made) == ["one", "three"]
    assert [each.fields["message"]["parts"][0]["text"] for each in made.branch if each.kind == "message"] == texts(made)
    made.walk(left)
    assert texts(made) == ["one", "two"]
    made.close()
    assert texts(open_transcript("last", places)) == ["one", "two"]


def test_walking_to_an_entry_that_is_not_there_is_refused(places: Places) -> None:
    made = written(places, "one")
    for act in (made.walk, made.fork):
        with pytest.raises(PiscesError) as caught:
            act("nowhere")
        assert caught.value.diagnostic.code == "no-entry"
    assert texts(made) == ["one"]


def test_a_fork_is_a_session_of_its_own(places: Places) -> None:
    made = written(places, "one", "y" * 40_000)
    start = made.leaf
    made.append_message(said("three"), NO_FACTS)
    forked = made.fork(start)
    assert texts(forked) == ["one", "y" * 40_000]
    assert not os.path.exists(forked.folder), "until something is said"
    forked.append_message(said("four"), NO_FACTS)
    made.close()
    delete_session(made.path)
    assert texts(forked) == ["one", "y" * 40_000, "four"]
    again = read_transcript(forked.path)
    assert texts(again) == texts(forked)
    assert again.head["from"] == {"session": made.id, "entry": start}


def test_a_transcript_in_memory_does_all_of_it_without_a_file(places: Places) -> None:
    made = memory_transcript(places)
    made.append_message(said("one"), NO_FACTS)
    start = made.leaf
    made.append_message(said("two"), NO_FACTS)
    made.walk(start)
    made.set_name("mine")
    forked = made.fork()
    forked.append_message(said("z" * 40_000), NO_FACTS)
    assert (texts(made), made.name, texts(forked)) == (["one"], "mine", ["one", "z" * 40_000])
    assert not Path(places.agent_dir).exists()


def test_a_subagent_has_a_file_of_its_own_that_the_session_names(places: Places) -> None:
    made = written(places, "one")
    agent = made.subagent("reviewer", {"call": "c1"})
    agent.append_message(said("look"), NO_FACTS)
    entry = next(each for each in made.entries if each.kind == "subagent")
    assert (entry.fields["agent"], entry.fields["call"], entry.fields["session"]) == ("reviewer", "c1", agent.id)
    assert texts(read_transcript(os.path.join(made.folder, "agents", entry.fields["file"]))) == ["look"]
    assert texts(made) == ["one"]


def test_long_texts_are_stored_once_and_come_back(places: Places) -> None:
    picture = ImagePart("image/png", "iVBOR" * 20_000)
    result = ResultPart("1", "read", (TextPart("\ud800ab\n" * 20_000), picture))
    message = ChatMessage(BY_USER, (result, picture))
    made = new_transcript(places)
    call = ChatMessage(BY_MODEL, (CallPart("1", "read", {"deep": [{"text": "w" * 30_000}]}),))
    made.append_message(call, NO_FACTS)
    made.append_message(message, NO_FACTS)
    made.append_message(ChatMessage(BY_USER, (picture,)), NO_FACTS)
    assert os.path.getsize(made.path) < 10_000
    assert len(os.listdir(os.path.join(made.folder, "texts"))) == 3
    assert read_transcript(made.path).messages == (call, message, ChatMessage(BY_USER, (picture,)))


def test_an_entry_of_many_small_things_is_stored_as_a_whole(places: Places) -> None:
    made = written(places, "one")
    data = list(range(400_000))
    entry = made.append(CUSTOM, {"customType": "numbers", "data": data})
    assert os.path.getsize(made.path) < 10_000
    again = read_transcript(made.path)
    found = next(each for each in again.newest() if each.id == entry.id)
    assert again.whole(found)["data"] == data


def test_a_text_whose_file_is_gone_says_so(places: Places) -> None:
    made = written(places, "begins so " + "x" * 50_000)
    for file in Path(made.folder, "texts").iterdir():
        file.unlink()
    (text,) = texts(read_transcript(made.path))
    assert text.startswith("begins so")
    assert "missing" in text


def test_calls_that_a_crash_cut_off_get_a_result(places: Places) -> None:
    made = written(places, "go")
    made.append_message(ChatMessage(BY_MODEL, (CallPart("1", "shell"), CallPart("2", "read"))), NO_FACTS)
    results = read_transcript(made.path).messages[-1].parts
    assert [(each.id, each.text, each.is_error) for each in results if isinstance(each, ResultPart)] == [
        ("1", UNKNOWN_RESULT, True),
        ("2", UNKNOWN_RESULT, True),
    ]
    made.append_message(said("what happened?"), NO_FACTS)
    assert [len(each.parts) for each in read_transcript(made.path).messages] == [1, 2, 2, 1]


@given(st.lists(MESSAGES, max_size=6))
def test_every_call_of_a_whole_conversation_has_its_result_next(messages: list[ChatMessage]) -> None:
    whole = list(whole_conversation(messages))
    for message, after in zip(whole, [*whole, None][1:], strict=True):
        if message.role == BY_MODEL and message.calls:
            assert after is not None
            results = {each.id for each in after.parts if isinstance(each, ResultPart)}
            assert results >= {each.id for each in message.calls}
    assert list(whole_conversation(whole)) == whole


def test_a_file_that_ends_anywhere_gives_what_was_whole(places: Places) -> None:
    made = written(places, "one", "two", "three")
    data = Path(made.path).read_bytes()
    copy = Path(places.home, "copy_1.jsonl")
    whole = [at for at in range(len(data)) if data[at : at + 1] == b"\n"]
    for length in range(len(data) + 1):
        copy.write_bytes(data[:length])
        lines = sum(end <= length for end in whole)
        assert texts(read_transcript(str(copy))) == ["one", "two", "three"][: max(0, lines - 1)]


def test_a_cut_last_line_is_said_and_nothing_after_it_is_lost(places: Places) -> None:
    made = written(places, "one", "two")
    made.close()
    with open(made.path, "r+b") as file:
        file.truncate(os.path.getsize(made.path) - 20)
    again = open_transcript("last", places)
    assert codes_of(again) == ["transcript-cut"]
    again.append_message(said("three"), NO_FACTS)
    again.close()
    third = open_transcript("last", places)
    assert texts(third) == ["one", "three"]
    assert codes_of(third) == []


def test_a_session_that_is_open_elsewhere_is_forked_and_that_is_said(places: Places) -> None:
    made = written(places, "one")
    again = open_transcript("last", places)
    assert codes_of(again) == ["session-in-use"]
    again.append_message(said("other"), NO_FACTS)
    made.append_message(said("two"), NO_FACTS)
    assert texts(made) == ["one", "two"]
    assert texts(again) == ["one", "other"]
    assert again.id != made.id
    made.close()
    assert open_transcript(made.id, places).id == made.id


def test_a_disk_that_takes_nothing_does_not_stop_the_session(places: Places) -> None:
    blocked = Path(places.home, ".pisces")
    blocked.write_text("a file", encoding="utf-8")
    made = new_transcript(places)
    heard = problems_of(made)
    for text in ("one", "two"):
        made.append_message(said(text), NO_FACTS)
    assert [each.code for each in heard] == ["transcript-unwritten"]
    assert texts(made) == ["one", "two"]
    blocked.unlink()
    made.append_message(said("three"), NO_FACTS)
    assert texts(read_transcript(made.path)) == ["one", "two", "three"]
    assert [each.severity for each in heard] == ["warning", "note"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on the size of files")
@pytest.mark.parametrize("room", [0, 1, 30, 150, 10_000])
def test_a_full_disk_loses_nothing_that_is_written_later(places: Places, room: int) -> None:
    if sys.platform != "win32":
        import resource

        made = written(places, "one")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(made.path) + room, before[1]))
        try:
            made.append_message(said("two"), NO_FACTS)
            made.append_message(said("x" * 20_000), NO_FACTS)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert codes_of(made)[:1] == ["transcript-unwritten"]
        made.append_message(said("four"), NO_FACTS)
        assert texts(read_transcript(made.path)) == ["one", "two", "x" * 20_000, "four"] == texts(made)


def test_a_file_that_is_removed_meanwhile_is_said_and_written_anew(places: Places) -> None:
    made = written(places, "one", "two")
    heard = problems_of(made)
    os.unlink(made.path)
    made.append_message(said("three"), NO_FACTS)
    assert [(each.code, each.severity) for each in heard] == [
        ("transcript-unwritten", "warning"),
        ("transcript-unwritten", "note"),
    ]
    again = read_transcript(made.path)
    assert texts(again) == ["one", "two", "three"]
    assert (again.head["cwd"], again.id) == (places.cwd, made.id)


def test_a_clock_that_jumps_changes_nothing(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(random.Random(1).choices([0.0, 1e9, 4e9, -5.0], k=100))
    monkeypatch.setattr(time, "time", lambda: next(now))
    made = written(places, *map(str, range(20)))
    assert len({each.id for each in made.entries}) == 21
    assert texts(read_transcript(made.path)) == list(map(str, range(20)))


def test_kinds_of_a_later_version_are_left_alone(places: Places) -> None:
    made = written(places, "one")
    made.append("hologram", {"of": "the future", "message": 5})
    made.append_message(said("two"), NO_FACTS)
    again = read_transcript(made.path)
    assert texts(again) == ["one", "two"]
    assert [each.fields for each in again.branch if each.kind == "hologram"] == [{"of": "the future", "message": 5}]


def test_a_line_that_is_lost_in_the_middle_takes_no_other_with_it(places: Places) -> None:
    made = written(places, *"abcdef")
    lines = Path(made.path).read_bytes().split(b"\n")
    lines[2], lines[4] = b"{broken", b"\x00\xff"
    Path(made.path).write_bytes(b"\n".join(lines))
    assert texts(read_transcript(made.path)) == ["a", "c", "e", "f"]


@pytest.mark.parametrize("to", ["nowhere", "\ud800", "", None, ["a"], "../x", 5])
def test_a_leaf_that_points_nowhere_does_not_count(places: Places, to: object) -> None:
    made = written(places, "one", "two")
    made.close()
    with open(made.path, "a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "leaf", "id": "x", "parent": made.leaf, "at": 1, "to": to}) + "\n")
    again = open_transcript("last", places)
    again.append_message(said("three"), NO_FACTS)
    assert texts(again) == texts(read_transcript(made.path)) == ["one", "two", "three"]
    with pytest.raises(PiscesError):
        again.walk(str(to))


def test_values_that_json_has_no_word_for_are_stored_as_text(places: Places) -> None:
    made = written(places, "one")
    circle: list[object] = []
    circle.append(circle)
    deep: list[object] = []
    for _ in range(700):
        deep = [deep]
    made.append(CUSTOM, {"data": [float("nan"), {1: object()}, {"x"}], "circle": circle})
    made.append(CUSTOM, {"deep": deep, "huge": 10**5_000})
    made.append(CUSTOM, {"huge": 10**5_000, "keys": {("a", "key"): -1e999}})
    made.append_message(said("two"), NO_FACTS)
    again = read_transcript(made.path)
    assert texts(again) == ["one", "two"]
    assert [each.kind for each in again.branch] == ["session", "message", "custom", "custom", "custom", "message"]


DEEP = b"[" * 400 + b"]" * 400
HOSTILE = [
    b"[" * 100_000,
    b'{"type":' * 100_000,
    b"\x00" * 100,
    b"\xff\xfe{}",
    b"null",
    b"{}",
    b'{"type": 1, "id": 2, "parent": 3, "at": 4}',
    b'{"type": "message", "id": "a", "parent": "a", "at": "x"}',
    b'{"type": "message", "id": "a", "parent": "b", "at": 1e999, "message": {"role": "user", "parts": 7}}',
    b'{"type": "message", "id": "b", "parent": "a", "at": 1, "message": {"role": "user", "parts": [{"type": []}, 4]}}',
    b'{"type": "leaf", "id": "c", "parent": "b", "at": 1, "to": ["a"]}',
    b'{"type": "leaf", "id": "c", "parent": "b", "at": 1, "to": "nowhere"}',
    b'{"type": "leaf", "id": "c", "parent": "b", "at": 1, "to": "\\ud800"}',
    b'{"type": "compaction", "id": "d", "parent": "b", "at": 1, "first": {}, "undone": [], "summary": 4}',
    b'{"type": "message", "id": "e", "parent": "d", "at": 1, "usage": [], "cost": "much", "model": 5, "message": {}}',
    b'{"type": "message", "id": "e", "parent": "d", "at": 1, "stored": [{"at": ["message"], "sha256": "../../x"}]}',
    b'{"type": "message", "id": "f", "parent": "e", "at": 1, "usage": {"input": "x"}, "message": %s}' % DEEP,
    b'{"type": "name", "id": "g", "parent": "f", "at": 1, "name": {"a": 1}}',
    b'{"type": "session", "id": "h", "parent": "", "at": 1, "cwd": 4, "session": []}',
    b'{"type": "message", "id": "i", "parent": "h", "at": 1, "message": "\xed\xa0\x80"}',
]


@pytest.mark.parametrize("seed", range(30))
def test_whatever_stands_in_a_file_can_be_read(places: Places, seed: int) -> None:
    """Looked at, resumed, written to and read again."""
    chance = random.Random(seed)
    made = written(places, *"abc")
    lines = Path(made.path).read_bytes().splitlines()
    made.close()
    for _ in range(12):
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(HOSTILE))
    if seed % 2:
        at = chance.randrange(len(lines))
        lines[at] = chance.randbytes(200)
    Path(made.path).write_bytes(b"\n".join(lines) + b"\n" * chance.randrange(2))
    again = open_transcript("last", places)
    _ = (again.messages, again.entries, again.branch, again.totals, again.name, again.head)
    again.append_message(said("after"), NO_FACTS)
    again.fork().append_message(said("after that"), NO_FACTS)
    again.close()
    assert texts(read_transcript(again.path))[-1] == "after"


@pytest.mark.parametrize("seed", range(40))
def test_reopening_gives_the_same_messages_after_any_sequence(places: Places, seed: int) -> None:
    """Append, branch, walk, compact, undo, end and be killed, in any order."""
    chance = random.Random(seed)
    made = new_transcript(places)
    known: list[str] = []
    for step in range(60):
        act = chance.choice(("say", "say", "say", "answer", "walk", "compact", "undo", "close", "kill", "note"))
        if act == "say":
            known.append(made.append_message(said(f"{step} " + "s" * chance.choice((1, 9, 30_000))), NO_FACTS).id)
        elif act == "answer":
            known.append(made.append_message(answer(str(step)), {"usage": {"input": 1}, "cost": 0.5}).id)
        elif act == "walk" and known:
            made.walk(chance.choice(known))
        elif act == "note":
            known.append(made.append(CUSTOM, {"customType": "x", "data": step}).id)
        elif act == "compact" and made.messages:
            branch = [each.id for each in made.branch if each.kind == "message"]
            made.append(COMPACTION, {"summary": f"summary {step}", "first": chance.choice(branch)})
        elif act == "undo":
            last = next((each.id for each in made.newest() if each.kind == COMPACTION), "")
            made.append(COMPACTION, {"undone": last})
        elif act in ("close", "kill") and os.path.exists(made.path):
            before = (made.messages, made.branch, made.totals)
            made = reopened(made, act, places)
            assert (made.messages, made.branch, made.totals) == before


def reopened(made: Transcript, act: str, places: Places) -> Transcript:
    if act == "close":
        made.close()
        return open_transcript(made.path, places)
    copy = Path(made.path)  # what a killed process leaves: its file, and a lock that nobody holds
    made.close()
    if random.Random(len(copy.read_bytes())).random() < 0.5:
        Path(made.folder, "index.json").unlink(missing_ok=True)
    with copy.open("ab") as file:
        file.write(b'{"type": "message", "id": "cut')
    return open_transcript(made.path, places)


def long_file(places: Places, count: int) -> Transcript:
    """A session of many lines, written at once."""
    made = written(places, "first words")
    with open(made.path, "ab") as file:
        parent = made.leaf
        for number in range(count):
            head = {"type": "message", "id": f"{number:08x}", "parent": parent, "at": 1.5}
            message = {"role": "model", "parts": [{"type": "text", "text": f"answer {number}"}]}
            line = {**head, "usage": {"input": 1}, "cost": 1, "message": message}
            file.write(json.dumps(line).encode() + b"\n")
            parent = f"{number:08x}"
    made.close()
    return made


def bytes_read() -> int:
    return int(Path("/proc/self/io").read_text("ascii").split()[1])


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="this system does not count what is read")
def test_resuming_reads_the_end_of_a_long_session_only(places: Places) -> None:
    made = long_file(places, 200_000)
    size = os.path.getsize(made.path)
    before = bytes_read()
    again = open_transcript("last", places)
    screen = [next(again.newest()) for _ in range(1)]
    assert screen[0].fields["message"]["parts"][0]["text"] == "answer 199999"
    again.append(COMPACTION, {"summary": "all of it", "first": again.leaf})
    again.append_message(said("go on"), NO_FACTS)
    assert texts(again)[-2:] == ["answer 199999", "go on"]
    assert bytes_read() - before < size / 4


def test_totals_are_counted_once_and_go_on_from_the_index(places: Places) -> None:
    made = long_file(places, 1_000)
    first = read_transcript(made.path).totals
    assert (first.messages, first.usage.input, first.cost, first.first) == (1_001, 1_000, 1_000, "first words")
    index = Path(made.folder, "index.json")
    assert json.loads(index.read_text("utf-8"))["messages"] == 1_001
    again = open_transcript("last", places)
    again.append_message(said("more"), NO_FACTS)
    again.close()
    assert read_transcript(made.path).totals.messages == 1_002


@pytest.mark.parametrize("change", ["shorter", "other", "broken", "wrong", "empty"])
def test_an_index_that_does_not_fit_the_file_is_not_used(places: Places, change: str) -> None:
    made = long_file(places, 1_000)
    expected = read_transcript(made.path).totals
    path, index = Path(made.path), Path(made.folder, "index.json")
    if change == "shorter":
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
        expected = expected.replace(messages=1_000, cost=999, usage=expected.usage.replace(input=999))
    elif change == "other":
        path.write_bytes(path.read_bytes().replace(b'"answer 9', b'"ANSWER 9'))
    elif change == "broken":
        index.write_bytes(b"{" * 10_000)
    elif change == "wrong":
        index.write_text(json.dumps({**json.loads(index.read_text("utf-8")), "name": [], "cost": "much"}), "utf-8")
    else:
        index.write_text("{}", "utf-8")
    assert read_transcript(made.path).totals == expected


def test_memory_holds_the_context_and_not_the_session(places: Places) -> None:
    import tracemalloc

    made = new_transcript(places)
    sizes = []
    tracemalloc.start()
    for turn in range(1_000):
        made.append_message(said(f"{turn} " + "q" * 500), NO_FACTS)
        last = made.append_message(answer("a" * 500), {"usage": {"input": 1}, "cost": 0.1})
        if turn % 50 == 49:
            made.append(COMPACTION, {"summary": "before", "first": last.id})
            assert len(made.messages) < 5
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[-1] < sizes[1] + 100_000


KILLED = """
import sys
from pisces.agent.transcript import new_transcript
from pisces.places import Places
from pisces.shapes.message import BY_USER, ChatMessage, TextPart
made = new_transcript(Places(sys.argv[1], sys.argv[2], {}))
for number in range(10**9):
    made.append_message(ChatMessage(BY_USER, (TextPart(f"{number} " + "x" * (number % 7 * 5_000)),)), {})
    print(number, flush=True)
"""


def test_a_process_that_is_killed_loses_nothing_that_it_has_stored(places: Places) -> None:
    command = [sys.executable, "-c", KILLED, places.home, places.cwd]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        stored = [int(process.stdout.readline()) for _ in range(40)][-1]
        assert codes_of(open_transcript("last", places)) == ["session-in-use"]
        process.kill()
        stored = max(stored, *(int(line) for line in process.stdout if line.endswith("\n")), 0)
    again = open_transcript("last", places)
    assert "session-in-use" not in codes_of(again), "its lock has gone with it"
    numbers = [int(text.split()[0]) for text in texts(again)]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > stored


@given(st.recursive(PLAIN | st.floats(), lambda inner: st.lists(inner) | st.dictionaries(ANY, inner), max_leaves=20))
def test_whatever_json_a_line_has_is_an_entry_or_nothing(value: object) -> None:
    for fields in (value, {"message": value}, {"message": {"role": "user", "parts": value}}):
        head = {"type": "message", "id": "a", "parent": "", "at": 1.0}
        entry = entry_of(json.dumps({**head, **fields} if isinstance(fields, dict) else fields).encode())
        if entry is not None:
            assert entry_of(line_of(entry).rstrip(b"\n")) is not None
            list(pieces(entry.kind, entry.fields))
            list(whole_conversation([each.fields["message"] for each in context_entries([entry], dict_of)]))


def dict_of(entry: TranscriptEntry) -> dict[str, object]:
    return dict(entry.fields)


def test_what_waits_in_memory_is_written_at_the_end(places: Places) -> None:
    blocked = Path(places.home, ".pisces")
    blocked.write_text("a file", encoding="utf-8")
    made = new_transcript(places)
    made.append_message(said("one"), NO_FACTS)
    blocked.unlink()
    made.close()
    assert texts(read_transcript(made.path)) == ["one"]


def test_what_others_spent_for_a_session_counts(places: Places) -> None:
    made = written(places, "one")
    made.append(CUSTOM, {"customType": "summary", "usage": {"input": 7, "output": 1}, "cost": 0.25})
    assert (made.usage.input, made.cost) == (7, 0.25)
    made.append(CUSTOM, {"usage": {"input": 1}})
    assert made.cost is None, "one price is not known"
