"""Verifies that the publisher of a package has signed the program that is about to run. In doubt it is refused.

The bytes of the open file are verified, not those at its path, which may change. The signature of `bin/x` is in
`bin/x.minisig`, which needs no protection.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.commands.programs.signatures.minisign import HASHED, public_key, signature
from pisces.commands.programs.signatures.publishers import UNKNOWN_PUBLISHER, SignatureClaim, Signer, expected_key
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.files import MISSING, Unreadable, read_bytes
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from pisces.commands.programs.signatures.minisign import PublicKey, Signature
    from pisces.places import Places

    class OpenProgram(Protocol):
        @property
        def path(self) -> str: ...

        @property
        def opened(self) -> int: ...


SIGNATURE_UNCHECKABLE = Rule("signature-uncheckable", ERROR, "A signature cannot be checked here")
SIGNATURE_MISSING = Rule("signature-missing", ERROR, "A program that should be signed is not")
SIGNATURE_MALFORMED = Rule("signature-malformed", ERROR, "A signature file or a public key cannot be read")
SIGNATURE_WRONG = Rule("signature-wrong", ERROR, "A signature is not for this program, or not by this key")

SUFFIX = ".minisig"
_ALGORITHM = "pisces.commands.programs.signatures", "ed25519"
_MOST_WHOLE = 256 * 1024 * 1024  # the legacy signature needs all bytes at once
_CHUNK = 1 << 20


def verify_program(program: OpenProgram, claim: SignatureClaim, places: Places) -> Signer | None:
    """Who signed it; None if the package declares no signature. Raises if a declared signature is not valid."""
    declared = declared_key(claim.key, program.path) if claim.key else None
    remembered = expected_key(claim, places)
    key = remembered or declared
    if key is None:
        if claim.publisher:
            message = f"the package names the publisher `{claim.publisher}` and no key"
            raise PiscesError(UNKNOWN_PUBLISHER.at(program.path, message, hint='add `"key"` beside `"publisher"`'))
        return None
    path = program.path + SUFFIX
    found = _read_signature(path)
    if found.key_id != key.id:
        message = f"signed with the key {found.key_id}, expected was {key.id}"
        raise PiscesError(SIGNATURE_WRONG.at(path, message, hint=_hint(program.path)))
    _check(program, found, key)
    return Signer(claim.publisher or claim.package, claim.package, key, found.comment, remembered is None)


def declared_key(text: str, path: str) -> PublicKey:
    """The key in a manifest or on a command line. `path` is for the error."""
    try:
        return public_key(text)
    except Malformed as error:
        message = f"the public key cannot be read: {error.message}"
        hint = "a key is one line that begins with `RW`"
        raise PiscesError(SIGNATURE_MALFORMED.at(path, message, hint=hint)) from None


def _read_signature(path: str) -> Signature:
    try:
        return signature(read_bytes(path))
    except Unreadable as error:
        rule = SIGNATURE_MISSING if error.kind == MISSING else SIGNATURE_MALFORMED
        hint = _hint(path.removesuffix(SUFFIX)) if error.kind == MISSING else ""
        raise PiscesError(rule.at(path, f"the signature {error.message}", hint=hint)) from None
    except Malformed as error:
        raise PiscesError(SIGNATURE_MALFORMED.at(path, error.message, place=(error.line, error.column))) from None


def _check(program: OpenProgram, found: Signature, key: PublicKey) -> None:
    if not export_of(*_ALGORITHM, "IS_AVAILABLE"):
        message = f"`{os.path.basename(program.path)}` is signed, and nothing here can check it"
        hint = "pip install 'pisces-agent[signatures]'"
        raise PiscesError(SIGNATURE_UNCHECKABLE.at(program.path, message, hint=hint))
    is_valid = export_of(*_ALGORITHM, "is_valid")
    if not is_valid(key.raw, found.raw, _signed_bytes(program, found.algorithm)):
        message = f"the signature by {key.id} is not for the program as it is now"
        raise PiscesError(SIGNATURE_WRONG.at(program.path, message, hint=_hint(program.path)))
    if not is_valid(key.raw, found.comment_signature, found.raw + found.comment.encode("utf-8")):
        message = f"the trusted comment is not the one that {key.id} signed"
        raise PiscesError(SIGNATURE_WRONG.at(program.path + SUFFIX, message, place=(3, 1)))


def _signed_bytes(program: OpenProgram, algorithm: bytes) -> bytes:
    try:
        # Windows executes paths only, so there is no open descriptor.
        with open(os.dup(program.opened) if program.opened >= 0 else program.path, "rb") as file:
            file.seek(0)  # the descriptor may have been read before
            if algorithm == HASHED:
                return bytes(export_of(*_ALGORITHM, "hashed")(iter(lambda: file.read(_CHUNK), b"")))
            if os.fstat(file.fileno()).st_size <= _MOST_WHOLE:
                return file.read()
    except OSError as error:
        message = f"the program cannot be read: {error.strerror}"
        raise PiscesError(SIGNATURE_WRONG.at(program.path, message)) from None
    message = f"a program of more than {_MOST_WHOLE:,} bytes needs a signature of the newer kind"
    raise PiscesError(SIGNATURE_WRONG.at(program.path, message, hint="sign it without -l"))


def _hint(path: str) -> str:
    return f"its author signs with: minisign -S -m {os.path.basename(path)}"
