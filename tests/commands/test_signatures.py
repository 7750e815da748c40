"""Signatures: minisign's own tool makes them, we check them; a publisher's key is the first one that was seen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pisces.commands.programs.signatures.minisign import PublicKey, public_key, signature
from pisces.commands.programs.signatures.publishers import (
    SignatureClaim,
    Signer,
    forget,
    publishers,
    publishers_file,
    remember,
    trust,
)
from pisces.commands.programs.signatures.verify import declared_key, verify_program
from pisces.diagnostics import PiscesError
from pisces.formats.malformed import Malformed
from pisces.places import Places

pytest.importorskip("cryptography")

MINISIGN = shutil.which("minisign")

# Made once with minisign 0.11: `minisign -G -W`, `minisign -S`, `minisign -S -l`.
PROGRAM = b"#!/bin/sh\necho hello\n"
KEY = "RWSGk5EvE1inc6yIF2tg/fxmJYi5Xr0xBFzFV14OnItKjsAqRR3sCvQF"
KEY_FILE = f"untrusted comment: minisign public key 73A758132F919386\n{KEY}\n"
HASHED = """untrusted comment: by the test suite
RUSGk5EvE1inc6iowJfxnzVPnvyheWHm8f1IQyyd0Gc5/f53Aq2o9nV6d6wGsao2gtxkEFS1QovsmGCqXnmQsk9VT8VNiIuRDg4=
trusted comment: hello 1.0, täglich
fxzX+3RwP3WPlGMfbzy+ZxMwpKvBJdAVrD338nZc6pxTTZh2KaaUAR90sZXRfi+pi8eTPRelqmFo/4buw4PBDQ==
"""
WHOLE = """untrusted comment: signature from minisign secret key
RWSGk5EvE1inc6O3AQnwrVrbQLpRUQGab9Y+WfCbIee126muzaJjE/mTqfoWKrVPkDYzn3wobv8rGe8965aclPxNAVa+jRFbggo=
trusted comment: hello 1.0, old kind
EfBGo4NSoiEWA0d532QvIntQOD4OLScExdj/ssl7Cjwhe0FT9CUHlFrcGXxr1k1k+5y8hQdO+4Lpk+kdJpQOBw==
"""
# The same key, whose first bit is turned: a key of somebody else that bears the same id.
SAME_ID = "RWSGk5EvE1incyyIF2tg/fxmJYi5Xr0xBFzFV14OnItKjsAqRR3sCvQF"


@dataclass(frozen=True)
class Program:
    path: str
    opened: int


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(str(tmp_path / "home"), str(tmp_path))


@contextmanager
def opened(path: Path) -> Iterator[Program]:
    handle = os.open(path, os.O_RDONLY)
    try:
        yield Program(str(path), handle)
    finally:
        os.close(handle)


def _program(folder: Path, signed: str | bytes = HASHED, content: bytes = PROGRAM) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "hello"
    path.write_bytes(content)
    (folder / "hello.minisig").write_bytes(signed.encode() if isinstance(signed, str) else signed)
    return path


def _verified(path: Path, claim: SignatureClaim, places: Places) -> Signer | None:
    with opened(path) as program:
        return verify_program(program, claim, places)


def _refusal(path: Path, claim: SignatureClaim, places: Places) -> str:
    with pytest.raises(PiscesError) as refused:
        _verified(path, claim, places)
    return refused.value.diagnostic.code


CLAIM = SignatureClaim("hello", "acme", KEY)


# Fixed vectors


@pytest.mark.parametrize(("text", "comment"), [(HASHED, "hello 1.0, täglich"), (WHOLE, "hello 1.0, old kind")])
def test_a_signature_of_either_kind_holds(tmp_path: Path, places: Places, text: str, comment: str) -> None:
    signer = _verified(_program(tmp_path, text), CLAIM, places)
    assert signer == Signer("acme", "hello", public_key(KEY), comment, is_new=True)


def test_the_key_may_be_given_as_the_file_that_minisign_writes() -> None:
    assert public_key(KEY_FILE) == public_key(KEY) == public_key(KEY_FILE.replace("\n", "\r\n"))
    assert public_key(KEY).id == "73A758132F919386"


@pytest.mark.parametrize("text", [HASHED, WHOLE])
def test_a_changed_program_is_refused(tmp_path: Path, places: Places, text: str) -> None:
    assert _refusal(_program(tmp_path, text, PROGRAM + b"\n"), CLAIM, places) == "signature-wrong"


@pytest.mark.parametrize("text", [HASHED, WHOLE])
def test_a_changed_trusted_comment_is_refused(tmp_path: Path, places: Places, text: str) -> None:
    path = _program(tmp_path, text.replace("hello 1.0", "hello 9.9"))
    assert _refusal(path, CLAIM, places) == "signature-wrong"


def test_a_signature_by_another_key_of_the_same_id_is_refused(tmp_path: Path, places: Places) -> None:
    assert public_key(SAME_ID).id == public_key(KEY).id
    assert _refusal(_program(tmp_path), SignatureClaim("hello", "acme", SAME_ID), places) == "signature-wrong"


@pytest.mark.parametrize("text", [HASHED, WHOLE])
def test_no_changed_byte_of_a_signature_passes_except_in_the_first_comment(
    tmp_path: Path, places: Places, text: str
) -> None:
    """All of them, one after the other: refused with a diagnostic, never an exception of another kind."""
    data = text.encode()
    free = range(len("untrusted comment: "), data.index(b"\n"))
    passed = []
    for position in range(len(data) - 1):
        for changed in (data[position] ^ 1, data[position] ^ 0x80):
            path = _program(tmp_path, data[:position] + bytes([changed]) + data[position + 1 :])
            try:
                _verified(path, CLAIM, places)
                passed.append(position)
            except PiscesError:
                continue
    assert set(passed) == set(free)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "\0" * 100,
        "x" * 20_000,
        HASHED + HASHED,
        HASHED + "more\n",
        HASHED.replace("trusted comment: ", "trusted comment:", 2),
        HASHED.replace("täglich", "t\x1b[2Jglich"),
        HASHED.replace("täglich", "t\u202eglich"),
        HASHED.replace("=\n", "\n", 1),
        HASHED.replace("Dg4=", "Dg5="),  # other bits behind the end: the same bytes, spelled otherwise
        HASHED.replace("RUSG", "RU SG"),
        HASHED.replace("RUSG", "AAAA"),
        "\ufeff" + HASHED,
    ],
)
def test_a_malformed_signature_is_a_diagnostic(tmp_path: Path, places: Places, text: str) -> None:
    assert _refusal(_program(tmp_path, text), CLAIM, places) == "signature-malformed"


def test_bytes_that_are_not_text_are_a_diagnostic(tmp_path: Path, places: Places) -> None:
    assert _refusal(_program(tmp_path, b"\xff\xfe" + HASHED.encode()), CLAIM, places) == "signature-malformed"


@pytest.mark.parametrize(
    "text", ["", "RW", KEY[:-1], KEY + "A", KEY_FILE + "x", f"key:\n{KEY}", "RU" + KEY[2:], "ü" * 56]
)
def test_a_malformed_key_is_a_diagnostic(text: str) -> None:
    with pytest.raises(PiscesError, match="public key") as refused:
        declared_key(text, "gemini-extension.json")
    assert refused.value.diagnostic.code == "signature-malformed"


def _resized(line: str, more: int) -> str:
    """The same base64 with one byte more or less (1 or -1): proper in every other way."""
    blob = b64decode(line)
    return b64encode((blob + b"\0")[: len(blob) + more]).decode()


@pytest.mark.parametrize("more", [-1, 1])
def test_a_key_of_any_other_length_is_refused(more: int) -> None:
    assert _resized(KEY, 0) == KEY
    with pytest.raises(Malformed, match=f"42 bytes are expected here, these are {42 + more}"):
        public_key(_resized(KEY, more))
    with pytest.raises(PiscesError) as refused:
        declared_key(_resized(KEY, more), "gemini-extension.json")
    assert refused.value.diagnostic.code == "signature-malformed"


@pytest.mark.parametrize("more", [-1, 1])
@pytest.mark.parametrize("line", [2, 4], ids=["of-the-program", "of-the-comment"])
@pytest.mark.parametrize("text", [HASHED, WHOLE], ids=["hashed", "whole"])
def test_a_signature_of_any_other_length_is_refused(
    tmp_path: Path, places: Places, text: str, line: int, more: int
) -> None:
    lines, size = text.splitlines(), {2: 74, 4: 64}[line]
    lines[line - 1] = _resized(lines[line - 1], more)
    changed = "\n".join(lines) + "\n"
    with pytest.raises(Malformed, match=f"{size} bytes are expected here, these are {size + more}") as malformed:
        signature(changed.encode())
    assert malformed.value.line == line
    assert _refusal(_program(tmp_path, changed), CLAIM, places) == "signature-malformed"


def test_a_missing_signature_is_refused_with_what_to_do(tmp_path: Path, places: Places) -> None:
    path = _program(tmp_path)
    (tmp_path / "hello.minisig").unlink()
    with pytest.raises(PiscesError) as refused:
        _verified(path, CLAIM, places)
    assert refused.value.diagnostic.code == "signature-missing"
    assert "minisign -S -m hello" in refused.value.diagnostic.hint


def test_the_open_file_is_verified_not_its_path(tmp_path: Path, places: Places) -> None:
    path = _program(tmp_path)
    with opened(path) as program:
        os.read(program.opened, 4)  # somebody looked at it before
        aside = tmp_path / "evil"
        aside.write_bytes(b"#!/bin/sh\necho evil\n")
        os.replace(aside, path)
        assert verify_program(program, CLAIM, places)
    with opened(path) as swapped, pytest.raises(PiscesError):
        verify_program(swapped, CLAIM, places)


def test_without_a_descriptor_the_path_is_read(tmp_path: Path, places: Places) -> None:
    """As on Windows."""
    path = _program(tmp_path)
    assert verify_program(Program(str(path), -1), CLAIM, places)
    path.write_bytes(b"#!/bin/sh\necho evil\n")
    with pytest.raises(PiscesError):
        verify_program(Program(str(path), -1), CLAIM, places)


def test_a_program_that_nobody_says_is_signed_is_nobodys(tmp_path: Path, places: Places) -> None:
    assert _verified(_program(tmp_path), SignatureClaim("hello"), places) is None


def test_a_publisher_without_a_key_is_refused(tmp_path: Path, places: Places) -> None:
    assert _refusal(_program(tmp_path), SignatureClaim("hello", "acme"), places) == "publisher-without-key"


def test_without_cryptography_a_signed_program_does_not_run(tmp_path: Path) -> None:
    path = _program(tmp_path)
    script = f"""
import os, sys
sys.modules["cryptography"] = None
from types import SimpleNamespace
from pisces.commands.programs.signatures.publishers import SignatureClaim
from pisces.commands.programs.signatures.verify import verify_program
from pisces.diagnostics import PiscesError
from pisces.places import Places
program = SimpleNamespace(path={str(path)!r}, opened=os.open({str(path)!r}, os.O_RDONLY))
try:
    verify_program(program, SignatureClaim("hello", "acme", {KEY!r}), Places({str(tmp_path)!r}, {str(tmp_path)!r}))
except PiscesError as error:
    print(error.diagnostic.code, error.diagnostic.hint)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "signature-uncheckable pip install 'pisces-agent[signatures]'\n"


# Trust on first use


def _seen(tmp_path: Path, places: Places, claim: SignatureClaim = CLAIM) -> Signer:
    signer = _verified(_program(tmp_path), claim, places)
    assert signer
    remember(signer, places)
    return signer


def test_checking_alone_remembers_nothing(tmp_path: Path, places: Places) -> None:
    _verified(_program(tmp_path), CLAIM, places)
    assert not os.path.exists(publishers_file(places))


def test_the_first_key_is_remembered_and_known_the_second_time(tmp_path: Path, places: Places) -> None:
    assert _seen(tmp_path, places).is_new
    assert not _seen(tmp_path, places).is_new
    assert not _seen(tmp_path, places, SignatureClaim("other", "acme")).is_new  # the key need not be told again
    assert publishers(places)["acme"].packages == ("hello", "other")
    if os.name != "nt":
        assert os.stat(publishers_file(places)).st_mode & 0o777 == 0o600


def test_a_publisher_with_another_key_is_held_and_both_keys_are_shown(tmp_path: Path, places: Places) -> None:
    _seen(tmp_path, places)
    with pytest.raises(PiscesError) as held:
        _verified(_program(tmp_path), SignatureClaim("other", "acme", SAME_ID), places)
    diagnostic = held.value.diagnostic
    assert diagnostic.code == "publisher-key-changed"
    assert KEY in diagnostic.message
    assert SAME_ID in diagnostic.message
    assert diagnostic.hint.endswith(f"pisces commands trust acme {SAME_ID}")


def test_a_key_is_accepted_by_naming_it(tmp_path: Path, places: Places) -> None:
    trust("acme", public_key(SAME_ID), places)
    assert _refusal(_program(tmp_path), CLAIM, places) == "publisher-key-changed"
    trust("acme", public_key(KEY), places)
    assert not _seen(tmp_path, places).is_new


@pytest.mark.parametrize(
    "claim", [SignatureClaim("hello"), SignatureClaim("hello", "evil", KEY), SignatureClaim("hello", "", KEY)]
)
def test_a_package_that_was_signed_cannot_drop_or_change_its_publisher(
    tmp_path: Path, places: Places, claim: SignatureClaim
) -> None:
    _seen(tmp_path, places)
    assert _refusal(_program(tmp_path), claim, places) == "publisher-changed"
    forget("acme", places)
    assert _verified(_program(tmp_path), claim, places) != Signer("acme", "hello", public_key(KEY))


def test_a_known_publishers_program_without_a_signature_is_held(tmp_path: Path, places: Places) -> None:
    _seen(tmp_path, places)
    path = _program(tmp_path / "next")
    (tmp_path / "next" / "hello.minisig").unlink()
    assert _refusal(path, SignatureClaim("next", "acme"), places) == "signature-missing"


def test_of_two_first_keys_only_one_is_remembered(tmp_path: Path, places: Places) -> None:
    first = _verified(_program(tmp_path), CLAIM, places)
    assert first
    remember(first.replace(key=public_key(SAME_ID)), places)
    with pytest.raises(PiscesError) as held:
        remember(first, places)
    assert held.value.diagnostic.code == "publisher-key-changed"


def test_a_name_cannot_smuggle_a_command_into_the_hint(tmp_path: Path, places: Places) -> None:
    name = "acme; rm -rf ~"
    _seen(tmp_path, places, SignatureClaim("hello", name, KEY))
    with pytest.raises(PiscesError) as held:
        _verified(_program(tmp_path), SignatureClaim("other", name, SAME_ID), places)
    assert f"trust '{name}' " in held.value.diagnostic.hint


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "publishers": {}}', '{"version": 1}', "{", "\0"])
def test_a_broken_memory_stops_everything(tmp_path: Path, places: Places, text: str) -> None:
    os.makedirs(places.agent_dir)
    Path(publishers_file(places)).write_text(text)
    assert _refusal(_program(tmp_path), CLAIM, places) == "publishers-broken"
    assert _refusal(_program(tmp_path), SignatureClaim("hello"), places) == "publishers-broken"


def test_a_broken_key_in_the_memory_stops_everything(tmp_path: Path, places: Places) -> None:
    os.makedirs(places.agent_dir)
    broken = {"version": 1, "publishers": {"acme": {"key": "RW", "packages": []}}}
    Path(publishers_file(places)).write_text(json.dumps(broken))
    assert _refusal(_program(tmp_path), CLAIM, places) == "publishers-broken"


def test_nobody_is_forgotten_who_is_not_known(places: Places) -> None:
    with pytest.raises(PiscesError) as refused:
        forget("acme", places)
    assert refused.value.diagnostic.code == "publisher-without-key"


# The real tool


@pytest.fixture(scope="module")
def signing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two key pairs that have no password."""
    if not MINISIGN:
        pytest.skip("minisign is not installed")
    folder = tmp_path_factory.mktemp("keys")
    for name in ("mine", "other"):
        command = [MINISIGN, "-G", "-W", "-p", str(folder / f"{name}.pub"), "-s", str(folder / f"{name}.key")]
        subprocess.run(command, check=True, capture_output=True)
    return folder


def _signed(signing: Path, path: Path, *options: str, key: str = "mine") -> Path:
    assert MINISIGN
    command = [MINISIGN, "-S", "-s", str(signing / f"{key}.key"), "-m", str(path), *options]
    subprocess.run(command, check=True, capture_output=True, input=b"")
    return path


def _key(signing: Path, name: str = "mine") -> PublicKey:
    return public_key((signing / f"{name}.pub").read_text())


def _agrees(signing: Path, path: Path, places: Places, name: str = "mine") -> bool:
    """What we say of a signature, after making sure that minisign says the same."""
    assert MINISIGN
    command = [MINISIGN, "-V", "-q", "-p", str(signing / f"{name}.pub"), "-m", str(path)]
    theirs = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        ours = _verified(path, SignatureClaim("p", "", _key(signing, name).text), places) is not None
    except PiscesError:
        ours = False
    assert ours == theirs
    return ours


@pytest.mark.parametrize("options", [(), ("-l",), ("-t", "a comment: ü"), ("-l", "-t", ""), ("-c", "untrusted")])
@pytest.mark.parametrize("content", [b"", b"x" * 3_000_000], ids=["empty", "large"])
def test_what_minisign_signs_we_accept(
    tmp_path: Path, places: Places, signing: Path, options: tuple[str, ...], content: bytes
) -> None:
    path = tmp_path / "program"
    path.write_bytes(content)
    assert _agrees(signing, _signed(signing, path, *options), places)


@pytest.mark.parametrize("kind", ["-H", "-l"])
def test_what_minisign_refuses_we_refuse(tmp_path: Path, places: Places, signing: Path, kind: str) -> None:
    path = tmp_path / "program"
    path.write_bytes(PROGRAM)
    _signed(signing, path, kind, "-t", "version 1")
    assert not _agrees(signing, path, places, "other")
    good = (tmp_path / "program.minisig").read_text()
    (tmp_path / "program.minisig").write_text(good.replace("version 1", "version 2"))
    assert not _agrees(signing, path, places)
    lines = good.splitlines(keepends=True)
    (tmp_path / "program.minisig").write_text("".join([*lines[:3], lines[1]]))
    assert not _agrees(signing, path, places)
    (tmp_path / "program.minisig").write_text(good)
    assert _agrees(signing, path, places)
    path.write_bytes(PROGRAM + b"#")
    assert not _agrees(signing, path, places)


def test_the_id_of_a_key_is_the_one_that_minisign_prints(signing: Path) -> None:
    assert _key(signing).id == (signing / "mine.pub").read_text().splitlines()[0].split()[-1]


def test_the_id_of_a_key_has_no_zeros_in_front() -> None:
    """Made with minisign 0.11, which shows it so."""
    assert public_key("RWSxFziQqbhbCM97JyjOTTn8kTjXSQv6goc0BCDTcA5ndx9U4rvxZT/c").id == "85BB8A9903817B1"


def test_a_secret_key_is_not_taken_for_a_public_one(signing: Path) -> None:
    with pytest.raises(Malformed):
        public_key((signing / "mine.key").read_text())
    with pytest.raises(Malformed):
        signature((signing / "mine.key").read_bytes())
