"""Reads minisign's public keys and `.minisig` files strictly. `Malformed` has the place of an invalid byte.

A key is `RW...`, or a file with a comment line before it. A signature file has four lines: an unsigned comment, the
signature of the program, a signed comment, and the signature of that comment together with the first signature.
"""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64

from pisces.formats.malformed import Malformed
from pisces.value import Value

WHOLE = b"Ed"  # legacy: the program itself is signed
HASHED = b"ED"  # its BLAKE2b-512 hash is signed
_ID_BYTES = 8
_KEY_BYTES = 2 + _ID_BYTES + 32
_SIGNATURE_BYTES = 2 + _ID_BYTES + 64
_COMMENT_SIGNATURE_BYTES = 64
_UNTRUSTED = "untrusted comment: "
_TRUSTED = "trusted comment: "
_LARGEST = 16 * 1024  # minisign itself writes comments of at most 8 KB


class PublicKey(Value):
    """`id` is what minisign prints. It is not derived from the key, so two keys may have the same: compare `text`."""

    id: str
    raw: bytes
    text: str


class Signature(Value):
    """`comment` is not trusted before `comment_signature` is verified."""

    algorithm: bytes
    key_id: str
    raw: bytes
    comment: str
    comment_signature: bytes


def public_key(text: str) -> PublicKey:
    """A key from one line, or from the two lines of a `.pub` file."""
    lines = _lines(text)
    if len(lines) == 2 and not lines[0].startswith(_UNTRUSTED):
        raise Malformed(f"a key file begins with `{_UNTRUSTED.rstrip()}`")
    if len(lines) not in (1, 2):
        raise Malformed(f"a public key has one line, or two with a comment, not {len(lines)}")
    blob = _decoded(lines[-1], _KEY_BYTES, len(lines))
    if blob[:2] != WHOLE:
        raise Malformed("this is not a minisign public key: those begin with `RW`", len(lines))
    return PublicKey(_shown_id(blob), blob[2 + _ID_BYTES :], lines[-1])


def signature(data: bytes) -> Signature:
    """The content of a `.minisig` file, not verified."""
    if len(data) > _LARGEST:
        raise Malformed(f"a signature file has at most {_LARGEST:,} bytes, this has {len(data):,}")
    try:
        lines = _lines(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise Malformed("a signature file is text in UTF-8") from None
    if len(lines) != 4:
        raise Malformed(f"a signature file has 4 lines, this has {len(lines)}", max(len(lines), 1))
    for number, prefix in ((1, _UNTRUSTED), (3, _TRUSTED)):
        if not lines[number - 1].startswith(prefix):
            raise Malformed(f"line {number} must begin with `{prefix.rstrip()}`", number)
    blob = _decoded(lines[1], _SIGNATURE_BYTES, 2)
    if blob[:2] not in (WHOLE, HASHED):
        raise Malformed("the signature is of a kind that minisign does not make", 2)
    comment = lines[2].removeprefix(_TRUSTED)
    if not comment.replace("\t", "").isprintable():
        raise Malformed("the trusted comment has characters that cannot be shown", 3)
    return Signature(
        blob[:2], _shown_id(blob), blob[2 + _ID_BYTES :], comment, _decoded(lines[3], _COMMENT_SIGNATURE_BYTES, 4)
    )


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").removesuffix("\r").replace("\r\n", "\n").split("\n")


def _decoded(line: str, size: int, number: int) -> bytes:
    """Decodes canonical base64 only, so that no two texts are the same key."""
    try:
        blob = a2b_base64(line.encode("ascii"), strict_mode=True)
    except (Error, UnicodeEncodeError):
        raise Malformed("this is not base64", number) from None
    if b2a_base64(blob, newline=False).decode("ascii") != line:
        raise Malformed("this is not base64 as minisign writes it", number)
    if len(blob) != size:
        raise Malformed(f"{size} bytes are expected here, these are {len(blob)}", number)
    return blob


def _shown_id(blob: bytes) -> str:
    # Without leading zeros, as minisign prints it.
    return f"{int.from_bytes(blob[2 : 2 + _ID_BYTES], 'little'):X}"
