"""What stays of a conversation: for any sequence of messages, compactions and undone ones, a model can go on."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings, strategies as st

from pisces.agent.compaction_cut import context_of, cut_of, long_results, shortened_text
from pisces.agent.compaction_entry import Compaction, compaction_of, conversation, standing
from pisces.agent.transcript import COMPACTION, Transcript
from pisces.agent.transcript_context import as_read
from pisces.shapes.message import BY_MODEL, BY_USER, CallPart, ChatMessage, ResultPart, TextPart

WINDOW = 1_000


def user(text: str) -> ChatMessage:
    return ChatMessage(BY_USER, (TextPart(text),))


def model(text: str, *calls: str) -> ChatMessage:
    return ChatMessage(BY_MODEL, (TextPart(text), *(CallPart(each, "read", {"path": each}) for each in calls)))


def results(text: str, *calls: str) -> ChatMessage:
    return ChatMessage(BY_USER, tuple(ResultPart(each, "read", (TextPart(text),)) for each in calls))


def transcript_of(*messages: ChatMessage) -> Transcript:
    made = Transcript("", "test")
    for each in messages:
        made.append_message(each, {})
    return made


def compact(transcript: Transcript, most: int = 100, window: int = WINDOW) -> str:
    """As a session does it, with a summary that is no longer than a word. The id of the entry, if there is one."""
    before, messages = context_of(transcript.context, as_read)
    cut = cut_of(before, messages, window, most)
    if not cut.old:
        return ""
    short = {place: shortened_text(text, "/stored") for place, text in long_results(cut.stays).items()}
    made = Compaction("summary", cut.stays[0].entry, cut.words, cut.left_out, {**before.shortened, **short})
    return transcript.append(COMPACTION, made.as_json()).id


def undo(transcript: Transcript) -> None:
    found = standing(transcript.context)
    if found:
        transcript.append(COMPACTION, Compaction(undone=found[0]).as_json())


def is_valid(messages: tuple[ChatMessage, ...]) -> bool:
    """Each call has its result in the next message, and each result its call in the one before."""
    for at, message in enumerate(messages):
        after = messages[at + 1] if at + 1 < len(messages) else None
        results_after = [each.id for each in (after.parts if after else ()) if isinstance(each, ResultPart)]
        if [each.id for each in message.calls] != results_after:
            return False
    return not messages or messages[0].role == BY_USER


WORDS = st.text("abc xyz\u00e4\U0001f40d<>/", min_size=1, max_size=400)
TURNS = st.tuples(WORDS, st.lists(st.tuples(WORDS, st.integers(0, 3), st.integers(0, 4_000)), max_size=4))
STEPS = st.lists(st.one_of(TURNS, st.sampled_from(("compact", "undo"))), max_size=14)


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_after_any_steps_the_conversation_is_valid_and_has_the_users_words(steps: list[Any]) -> None:
    transcript, said = transcript_of(), []
    for number, step in enumerate(steps):
        if step == "compact":
            compact(transcript)
        elif step == "undo":
            undo(transcript)
        else:
            said.append(f"request {number}: {step[0]}".strip())
            transcript.append_message(user(said[-1]), {})
            for text, count, length in step[1]:
                calls = [f"call-{at}" for at in range(count)]
                transcript.append_message(model(text, *calls), {})
                if calls:
                    transcript.append_message(results("r" * length, *calls), {})
    messages = transcript.messages
    assert is_valid(conversation(transcript.context, as_read))
    assert is_valid(messages)
    found = standing(transcript.context)
    left_out = found[1].left_out if found else 0
    text = "\n".join(each.text for each in messages)
    assert all(each in text for each in said[left_out:])
    assert not said or said[-1] in text


def test_all_words_of_the_user_stay_while_they_fit() -> None:
    turns = [each for number in range(40) for each in (user(f"wish {number}!"), model("x" * 400))]
    transcript = transcript_of(*turns)
    assert compact(transcript, window=100_000)
    head = transcript.messages[0].text
    assert all(f"wish {number}!" in "\n".join(each.text for each in transcript.messages) for number in range(40))
    assert head.index("wish 0!") < head.index("wish 30!")


def test_the_last_request_stays_even_if_it_is_longer_than_all_that_may_stay() -> None:
    wish = "please " * 2_000
    long = [each for at in range(10) for each in (model("m" * 400, f"c{at}"), results("r" * 400, f"c{at}"))]
    transcript = transcript_of(user("older"), model("fine"), user(wish), *long)
    assert compact(transcript)
    assert wish.strip() in transcript.messages[0].text
    assert "1 older messages" in transcript.messages[0].text


def test_a_call_and_its_result_are_never_separated() -> None:
    transcript = transcript_of(user("go"), model("a", "1"), results("r" * 10_000, "1"))
    assert compact(transcript, most=10)
    assert is_valid(transcript.messages)
    assert transcript.messages[1].calls[0].id == "1"
    assert "/stored" in str(transcript.messages[2])


def test_undoing_brings_back_all_of_it_with_what_came_later() -> None:
    turns = [each for number in range(10) for each in (user(f"wish {number}"), model("x" * 400))]
    transcript = transcript_of(*turns)
    compact(transcript)
    transcript.append_message(user("later"), {})
    undo(transcript)
    assert transcript.messages == (*turns, user("later"))


def test_undoing_twice_undoes_the_compaction_before() -> None:
    turns = [each for number in range(10) for each in (user(f"wish {number}"), model("x" * 400))]
    transcript = transcript_of(*turns)
    compact(transcript)
    first = transcript.messages
    transcript.append_message(model("y" * 2_000), {})
    compact(transcript)
    undo(transcript)
    assert transcript.messages[: len(first)] == first
    undo(transcript)
    assert transcript.messages[:-1] == tuple(turns)


def test_a_compaction_that_names_no_entry_of_the_branch_loses_nothing() -> None:
    transcript = transcript_of(user("a"), model("b"))
    transcript.append(COMPACTION, Compaction("summary", "nowhere").as_json())
    assert transcript.messages == (user("a"), model("b"))


def test_fields_of_a_wrong_type_do_not_count() -> None:
    made = compaction_of({"summary": 1, "words": "x", "shortened": [], "first": None, "left_out": "1", "tokens": []})
    assert made == Compaction()


def test_an_entry_is_read_as_it_was_written() -> None:
    made = Compaction("s", "f", ("one", "two"), 3, {"e:0": "t"}, "auto", 9)
    assert compaction_of(made.as_json()) == made


def test_a_result_is_shortened_at_its_own_place_only() -> None:
    """Models may use the id of a call twice."""
    transcript = transcript_of(
        user("a"), model("b", "1"), results("old " * 900, "1"), model("b", "1"), results("new", "1")
    )
    entry = transcript.context[2].id
    transcript.append(COMPACTION, Compaction(shortened={f"{entry}:0": "short"}).as_json())
    assert [str(each).count("short") for each in transcript.messages] == [0, 0, 1, 0, 0]
