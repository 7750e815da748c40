"""`pisces sessions`: list, search, show, export and delete what the agent and its user said."""

from __future__ import annotations

import base64
import json
import os
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pisces.__main__ import main
from pisces.agent.transcript import Transcript, new_transcript, read_transcript
from pisces.cli.completion import candidates
from pisces.places import Places
from pisces.shapes.message import BY_MODEL, BY_USER, CallPart, ChatMessage, ImagePart, ResultPart, TextPart

PICTURE = base64.b64encode(b"\x89PNG" + bytes(range(256)) * 30).decode()
EVIL = "<script>alert(1)</script> \x1b]0;owned\x07\x1b[31mred\x1b[0m \u202eback '\"& </pre></details> ```"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    for name in ("home", "work", "other"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.delenv("PI_CODING_AGENT_DIR", raising=False)
    monkeypatch.setenv("PISCES_AUDIT", str(tmp_path / "audit.jsonl"))
    monkeypatch.chdir(tmp_path / "work")
    return Places(str(tmp_path / "home"), str(tmp_path / "work"))


def session(places: Places, text: str = "why is the build red?") -> Transcript:
    made = new_transcript(places)
    made.append_message(ChatMessage(BY_USER, (TextPart(text), ImagePart("image/png", PICTURE))), {})
    call = ChatMessage(BY_MODEL, (TextPart("I will look."), CallPart("1", "read", {"path": "a.txt"})))
    made.append_message(call, {"usage": {"input": 10, "output": 5}, "cost": 0.5, "model": "anthropic/claude"})
    result = ResultPart("1", "read", (TextPart("a long file\n" * 5_000 + "the needle is here"),))
    made.append_message(ChatMessage(BY_USER, (result,)), {})
    made.append_message(ChatMessage(BY_MODEL, (TextPart(f"It says {text}"),)), {})
    made.close()
    return made


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["sessions", *words])
    out, err = capsys.readouterr()
    return status, out, err


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(ran(capsys, *words, "--output-format", "json")[1])


def test_sessions_of_this_workspace_are_listed(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    made = session(places)
    elsewhere = session(places.replace(cwd=os.path.join(os.path.dirname(places.cwd), "other")), "another question")
    status, out, err = ran(capsys, "list")
    assert status == 0
    assert len(out.splitlines()) == 1
    for word in (made.id[:8], "4", "$0.50", "anthropic/claude", "why is the build red?"):
        assert word in out
    assert "1 session" in err
    assert elsewhere.id[:8] in ran(capsys, "list", "--all")[1]


def test_the_list_for_programs_has_every_fact(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    made = session(places)
    (row,) = answered(capsys, "list")["sessions"]
    assert (row["id"], row["messages"], row["cost"], row["model"]) == (made.id, 4, 0.5, "anthropic/claude")
    assert (row["workspace"], row["path"], row["first"]) == (places.cwd, made.path, "why is the build red?")


def test_a_name_takes_the_place_of_the_first_words(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    made = read_transcript(session(places).path)
    made.set_name("red build")
    made.close()
    assert "red build" in ran(capsys, "list")[1]
    assert ran(capsys, "show", "red build")[0] == 0


def test_where_nothing_was_said_the_list_says_so(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ran(capsys, "list")
    assert (status, out) == (0, "")
    assert "no session" in err


def test_search_finds_what_anybody_said_in_any_case(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    made = session(places)
    status, out, _ = ran(capsys, "search", "NEEDLE", "is")
    assert status == 0
    assert made.id[:8] in out
    assert "the needle is here" in out, "it stands in a file of its own"
    (hit,) = answered(capsys, "search", "i will LOOK")["hits"]
    assert (hit["session"], hit["what"], hit["found"], hit["after"]) == (made.id, "model", "I will look", ".")
    assert ran(capsys, "search", "nobody said this")[0] == 1


@pytest.mark.parametrize("wanted", ['say "ho"', "tab\there", "größe", "a\\b", "[.*", "line\nend"])
def test_search_finds_what_json_writes_otherwise(
    places: Places, capsys: pytest.CaptureFixture[str], wanted: str
) -> None:
    session(places, f"before {wanted} after")
    assert ran(capsys, "search", wanted)[0] == 0


def test_the_end_of_a_session_is_shown(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    made = session(places)
    status, out, err = ran(capsys, "show", made.id[:6], "--last", "1")
    assert status == 0
    assert "It says why is the build red?" in out
    assert "I will look." not in out
    assert made.id in err
    whole = ran(capsys, "show", "last", "--last", "0")[1]
    assert all(text in whole for text in ("## User", "## Model", "Call of `read`", "the needle is here", "image/png"))
    shown = answered(capsys, "show", "last")
    assert [each["message"]["role"] for each in shown["messages"]] == ["user", "model", "user", "model"]
    assert ran(capsys, "show", "last", "--last", "some")[0] == 1


@pytest.mark.parametrize("words", [("list",), ("show", "last", "--last", "0"), ("search", "alert"), ("export", "last")])
def test_nothing_that_was_said_reaches_the_terminal_as_a_code(
    places: Places, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    made = read_transcript(session(places, EVIL).path)
    made.set_name(EVIL)
    call = CallPart("9", EVIL, {EVIL: EVIL}, signature=EVIL)
    made.append_message(ChatMessage(BY_MODEL, (call, TextPart(EVIL))), {"model": EVIL, "usage": {"input": 1}})
    made.append("label", {"entry": EVIL, "label": EVIL})
    made.close()
    _, out, err = ran(capsys, *words)
    assert not {"\x1b", "\x07", "\u202e"} & set(out + err)


def test_markdown_has_the_conversation_in_fences_it_cannot_leave(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    made = new_transcript(places)
    ticks = "before\n`````\n# not a heading\n"
    result = ResultPart("1", "shell", (TextPart(ticks),))
    made.append_message(ChatMessage(BY_MODEL, (CallPart("1", "sh`ell"),)), {})
    made.append_message(ChatMessage(BY_USER, (result,)), {})
    made.close()
    out = ran(capsys, "export", "last")[1]
    assert "``````text\nbefore\n`````\n# not a heading\n\n``````\n" in out
    assert "Call of `` sh`ell ``" in out


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_html_is_one_file_without_scripts_and_without_anything_from_elsewhere(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    made = read_transcript(session(places, EVIL).path)
    made.set_name(EVIL)
    images = (
        ImagePart('image/png" onload="x', PICTURE),
        ImagePart("image/png", '" onerror="x'),
        ImagePart("text/html", ""),
    )
    made.append_message(ChatMessage(BY_USER, images), {})
    made.append_message(ChatMessage(BY_MODEL, (CallPart("1", EVIL, {"a": EVIL}), TextPart(EVIL))), {})
    made.close()
    file = Path(places.cwd, "talk.html")
    status, _, err = ran(capsys, "export", "last", "--format", "html", "--out", "talk.html")
    assert (status, file.stat().st_mode & 0o077) == (0, 0)
    assert "talk.html" in err
    page = Page()
    page.feed(file.read_text("utf-8"))
    known = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "dl", "dt", "dd"}
    assert set(page.tags) <= known | {"section", "pre", "details", "summary", "code", "img"}
    assert page.tags.count("img") == 1, "only the image whose type and data are what they should be"
    assert page.tags.count("details") == 3
    addresses = [value for name, value in page.attributes if name in ("src", "href")]
    assert addresses == [f"data:image/png;base64,{PICTURE}"]
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in "".join(page.words)
    assert not {"\x1b", "\u202e"} & set("".join(page.words))


def test_json_lines_have_the_branch_with_all_texts(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    made = session(places)
    out = ran(capsys, "export", "last", "--format", "jsonl")[1]
    file = Path(places.cwd, "copy_1.jsonl")
    file.write_text(out, "utf-8")
    assert read_transcript(str(file)).messages == read_transcript(made.path).messages
    told = answered(capsys, "export", "last", "--out", "talk.md")
    assert (told["session"], told["format"]) == (made.id, "markdown")


def test_an_export_that_cannot_be_written_says_so(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    session(places)
    status, _, err = ran(capsys, "export", "last", "--out", "nowhere/talk.md")
    assert status == 1
    assert "disk-refused" in err


def test_deleting_asks_and_takes_everything_with_it(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    made = session(places)
    status, _, err = ran(capsys, "delete", "last")
    assert (status, os.path.exists(made.path)) == (1, True)
    assert "--yes" in err
    assert ran(capsys, "delete", "last", "--yes")[0] == 0
    assert os.listdir(os.path.dirname(made.path)) == []
    record = json.loads(Path(os.environ["PISCES_AUDIT"]).read_text("utf-8").splitlines()[-1])
    assert (record["act"], record["kind"], record["name"]) == ("deleted", "session", made.id)


def test_a_session_that_is_open_is_not_deleted(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    made = new_transcript(places)
    made.append_message(ChatMessage(BY_USER, (TextPart("hello"),)), {})
    status, _, err = ran(capsys, "delete", "last", "--yes")
    assert (status, os.path.exists(made.path)) == (1, True)
    assert "session-in-use" in err


@pytest.mark.parametrize("command", ["show", "export", "delete"])
def test_a_session_that_is_not_there_is_said(places: Places, capsys: pytest.CaptureFixture[str], command: str) -> None:
    status, out, err = ran(capsys, command, "nothing")
    assert (status, out) == (1, "")
    assert "no-session" in err


def test_sessions_are_completed(places: Places) -> None:
    made = session(places)
    assert candidates(["sessions", "sh"], places) == ["show"]
    assert candidates(["sessions", "show", made.id[:3]], places) == [made.id]
    assert candidates(["sessions", "export", "la"], places) == ["last"]
    assert candidates(["sessions", "export", "last", "--format", "h"], places) == ["html"]
