"""Which session somebody means: `last`, a name, the beginning of an id, or a path."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pisces.agent.transcript import Transcript, new_transcript, open_transcript
from pisces.agent.transcript_places import all_sessions, found_session, sessions_here, workspace_folder
from pisces.diagnostics import Diagnostic, PiscesError
from pisces.places import Places
from pisces.shapes.message import BY_USER, ChatMessage, TextPart


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("work", "other"):
        (tmp_path / name).mkdir()
    return Places(str(tmp_path), str(tmp_path / "work"), {})


def session(places: Places, text: str, at: int, name: str = "") -> Transcript:
    made = new_transcript(places)
    made.append_message(ChatMessage(BY_USER, (TextPart(text),)), {})
    if name:
        made.set_name(name)
    made.close()
    os.utime(made.path, (at, at))
    return made


def refusal(reference: str, places: Places) -> Diagnostic:
    with pytest.raises(PiscesError) as caught:
        found_session(reference, places)
    return caught.value.diagnostic


def test_the_newest_of_this_workspace_is_the_last(places: Places) -> None:
    session(places, "old", 100)
    newest = session(places, "new", 200)
    session(places.replace(cwd=os.path.join(places.home, "other")), "elsewhere", 300)
    assert found_session("last", places) == found_session("", places) == newest.path
    assert sessions_here(places)[0].path == newest.path
    assert len(all_sessions(places)) == 3


def test_a_session_is_found_by_id_beginning_name_and_path(places: Places) -> None:
    made = session(places, "one", 100, "the build")
    session(places, "two", 200)
    for reference in (made.id, made.id[:10], "the build", made.path, os.path.relpath(made.path, places.cwd)):
        assert found_session(reference, places) == made.path


def test_a_session_that_is_not_there_is_an_error(places: Places) -> None:
    assert refusal("last", places).code == "no-session"
    session(places, "one", 100)
    for reference in ("nothing", "nothing.jsonl", "../../etc/passwd", "\x00", "x" * 5_000):
        assert refusal(reference, places).code == "no-session"


def test_a_name_of_several_sessions_is_not_guessed(places: Places) -> None:
    made = [session(places, "one", 100, "twin"), session(places, "two", 200, "twin")]
    problem = refusal("twin", places)
    assert problem.code == "session-ambiguous"
    assert all(each.id in problem.hint for each in made)


def test_a_session_of_another_workspace_is_resumed_and_that_is_said(places: Places) -> None:
    made = session(places.replace(cwd=os.path.join(places.home, "other")), "elsewhere", 100)
    again = open_transcript(made.id[:12], places)
    heard: list[Diagnostic] = []
    again.report_to(heard.append)
    assert [each.code for each in heard] == ["session-elsewhere"]
    assert "other" in heard[0].message
    assert again.path == made.path


def test_workspaces_with_similar_names_do_not_share_sessions(places: Places) -> None:
    folders = {workspace_folder(places.replace(cwd=cwd)) for cwd in ("/a/b", "/a-b", "/a/b/", "/A/b", "/ä/b", "/ö/b")}
    assert len(folders) == 6
    deep = workspace_folder(places.replace(cwd="/very" * 1_000))
    assert len(os.path.basename(deep)) < 100


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_links_and_folders_are_no_sessions(places: Places) -> None:
    if sys.platform != "win32":
        made = session(places, "one", 100)
        folder = os.path.dirname(made.path)
        os.symlink(made.path, os.path.join(folder, "20200101T000000_aaaa.jsonl"))
        os.mkdir(os.path.join(folder, "20200101T000000_bbbb.jsonl"))
        os.mkfifo(os.path.join(folder, "20200101T000000_cccc.jsonl"))
        assert [each.path for each in sessions_here(places)] == [made.path]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_a_file_that_cannot_be_read_is_an_error_and_not_a_traceback(places: Places) -> None:
    if sys.platform != "win32":
        pipe = os.path.join(places.home, "pipe.jsonl")
        os.mkfifo(pipe)
        with pytest.raises(PiscesError):
            open_transcript(pipe, places)
