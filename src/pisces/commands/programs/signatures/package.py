"""Verifies that a signature covers the whole package: its files, and so its manifest with the entry that is used.

The signed comment of a program's signature names the package as `package=sha256:...`. Signature files are not part of
that hash, because they are made after it; neither are git's own folder and the files that a store puts beside a
package's own.
"""

from __future__ import annotations

import os
import re
from shlex import quote

from pisces.commands.programs.signatures.verify import SIGNATURE_WRONG, SUFFIX
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery.manifest_entry import says_entry
from pisces.discovery.pins import TooManyFiles, digest_of, pins_below
from pisces.packages.store.acts import acts_of, harnesses_with_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.programs.signatures.publishers import Signer
    from pisces.shapes.command import Command

SIGNATURE_PARTIAL = Rule("signature-partial", ERROR, "A signature covers a program, but not the package that it is in")

_PACKAGE = re.compile(r"(?:^|\s)package=sha256:([0-9a-f]{64})(?=\s|$)")
_GIT = ".git"
_HASH = "sha256:"


def verify_package(signer: Signer, program: str, command: Command) -> None:
    """Raises if the signature of `program` does not name the package as it is, or if its manifest says otherwise."""
    assert command.executable is not None, "prompt files are not signed"
    folder, path = command.executable.package, program + SUFFIX
    try:
        pins = signed_pins(folder)
    except TooManyFiles as error:
        raise PiscesError(SIGNATURE_WRONG.at(path, f"nobody can sign all of it: {error}")) from None
    named = _PACKAGE.findall(signer.comment)
    hint = f"its author signs with: {signing_line(program, digest_of(pins))}"
    if not named:
        message = f"{signer.key.id} signed `{os.path.basename(program)}` alone, and not the files that it is used with"
        raise PiscesError(SIGNATURE_PARTIAL.at(path, message, hint=hint))
    if named != [digest_of(pins)]:
        message = f"the files of the package are not those that {signer.key.id} signed"
        raise PiscesError(SIGNATURE_WRONG.at(path, message, hint=hint))
    manifest = os.path.relpath(command.path, folder).replace(os.sep, "/")
    if not says_entry(command.path, pins.get(manifest, "").removeprefix(_HASH), command.keys, command.fields):
        message = f"the manifest changed while it was checked; {signer.key.id} signed another entry"
        raise PiscesError(SIGNATURE_WRONG.at(command.path, message, hint="run it again"))


def signed_pins(folder: str) -> dict[str, str]:
    """The files that a signature has to cover. A file counts as a signature if what it would sign is there."""
    beside = {_GIT, *(name for harness in harnesses_with_store() for name in acts_of(harness).beside)}
    pins = pins_below(folder, beside.__contains__)
    return {name: pin for name, pin in pins.items() if not (name.endswith(SUFFIX) and name[: -len(SUFFIX)] in pins)}


def signed_hash(folder: str) -> str:
    return digest_of(signed_pins(folder))


def signing_line(program: str, digest: str) -> str:
    """What an author types, in the folder of the program."""
    return f"minisign -S -m {quote(os.path.basename(program))} -t 'package={_HASH}{digest}'"
