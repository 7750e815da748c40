"""The key of each publisher: trust on first use. Another key, or none, is refused until the user accepts it.

A package names its publisher itself, so the record proves only that it is the same publisher as before. Once a package
was signed, all its programs must be signed by the same publisher.
"""

from __future__ import annotations

import os
from shlex import quote

from pisces.by_name import export_of
from pisces.commands.programs.signatures.minisign import PublicKey, public_key
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats.fit import TEXT, WHOLE, Listed, Mapped, Record, misfits
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.places import Places

    Known = dict[str, "Publisher"]

KEY_CHANGED = Rule("publisher-key-changed", ERROR, "A publisher's program is signed with another key than before")
PUBLISHER_CHANGED = Rule("publisher-changed", ERROR, "A package that was signed names another publisher now, or none")
UNKNOWN_PUBLISHER = Rule("publisher-without-key", ERROR, "A package names a publisher whose key is not known")
PUBLISHERS_BROKEN = Rule("publishers-broken", ERROR, "The memory of publishers cannot be used")

_VERSION = 1
_PUBLISHER = Record({"key": TEXT, "packages": Listed(TEXT)}, closed=True)
_SHAPE = Record({"version": WHOLE, "publishers": Mapped(_PUBLISHER)}, closed=True)


class SignatureClaim(Value):
    """What a package declares: its name, publisher and key. Without a publisher, the key is the package's own."""

    package: str
    publisher: str = ""
    key: str = ""


class Signer(Value):
    """Who signed a program. `is_new` is set for an unknown publisher, until `remember`."""

    publisher: str
    package: str
    key: PublicKey
    comment: str = ""
    is_new: bool = False


class Publisher(Value):
    """A key, and the packages that were seen with it."""

    key: PublicKey
    packages: tuple[str, ...] = ()


def publishers_file(places: Places) -> str:
    return os.path.join(places.agent_dir, "publishers.json")


def expected_key(claim: SignatureClaim, places: Places) -> PublicKey | None:
    """The key that must have signed; None for an unknown publisher. Raises if the claim differs from the record.

    The claim's key must be well-formed, which `verify_program` checks.
    """
    return _expected(claim, publishers(places), publishers_file(places))


def publishers(places: Places) -> Known:
    """All recorded publishers by name."""
    path = publishers_file(places)
    try:
        found = parse(read_text(path))
        wrong = next(iter(misfits(found, _SHAPE)), None)
        if wrong or not isinstance(found, dict) or found["version"] != _VERSION:
            raise Malformed("this is not a file that pisces has written")
        listed = found["publishers"].items()
        return {name: Publisher(public_key(each["key"]), tuple(each["packages"])) for name, each in listed}
    except Unreadable as error:
        if error.kind == MISSING:
            return {}
        raise PiscesError(PUBLISHERS_BROKEN.at(path, f"the memory of publishers {error.message}")) from None
    except Malformed as error:
        hint = "Mend ~/.pisces/agent/publishers.json, or remove it to begin anew."
        raise PiscesError(PUBLISHERS_BROKEN.at(path, error.message, hint=hint)) from None


def remember(signer: Signer, places: Places) -> None:
    """Records the publisher's key and the package's publisher. Call it after the user's consent."""

    def added(known: Known) -> Known:
        claim = SignatureClaim(signer.package, signer.publisher, signer.key.text)
        _expected(claim, known, publishers_file(places))  # another process may have recorded it meanwhile
        before = known.get(signer.publisher, Publisher(signer.key))
        packages = tuple(sorted({*before.packages, signer.package}))
        return {**known, signer.publisher: before.replace(packages=packages)}

    _changed(places, added)


def trust(publisher: str, key: PublicKey, places: Places) -> None:
    """Replaces the key of a publisher."""
    _changed(places, lambda known: {**known, publisher: known.get(publisher, Publisher(key)).replace(key=key)})


def forget(publisher: str, places: Places) -> None:
    """Removes a publisher and their packages from the record."""
    if publisher not in publishers(places):
        message = f"no publisher `{publisher}` is remembered"
        raise PiscesError(UNKNOWN_PUBLISHER.at(publishers_file(places), message))
    _changed(places, lambda known: {name: each for name, each in known.items() if name != publisher})


def _expected(claim: SignatureClaim, known: Known, path: str) -> PublicKey | None:
    publisher = claim.publisher or (claim.package if claim.key else "")
    earlier = next((name for name, each in known.items() if claim.package in each.packages), "")
    if earlier and earlier != publisher:
        today = f"`{publisher}`" if publisher else "nobody"
        message = f"`{claim.package}` was published by `{earlier}` before, and now names {today}"
        hint = f"to begin anew: pisces commands trust {quote(earlier)} --forget"
        raise PiscesError(PUBLISHER_CHANGED.at(path, message, hint=hint))
    if publisher not in known:
        return None
    before = known[publisher].key
    now = public_key(claim.key) if claim.key else before
    if now == before:
        return before
    earlier, today = (f"{key.id} ({key.text})" for key in (before, now))
    message = f"`{publisher}` signed with the key {earlier} before, and now with {today}"
    hint = f"if the new one is theirs: pisces commands trust {quote(publisher)} {now.text}"
    raise PiscesError(KEY_CHANGED.at(path, message, hint=hint))


def _changed(places: Places, change: Callable[[Known], Known]) -> None:
    path = publishers_file(places)

    def content() -> dict[str, object] | None:
        known = publishers(places)
        after = change(known)
        return None if after == known else _content(after)

    try:
        export_of("pisces.commands.programs.signatures", "memory", "rewrite")(path, content)
    except OSError as error:
        message = f"the memory of publishers cannot be written: {error.strerror}"
        raise PiscesError(PUBLISHERS_BROKEN.at(path, message)) from None


def _content(known: Known) -> dict[str, object]:
    listed = {name: {"key": each.key.text, "packages": list(each.packages)} for name, each in sorted(known.items())}
    return {"version": _VERSION, "publishers": listed}
