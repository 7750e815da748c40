"""Is a text a URL? Decided as JavaScript's `new URL(text)` does: the URL standard without a base.

Only the scheme, the host and the port can be wrong; everything after them is accepted.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote_to_bytes

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_SPECIAL = frozenset(("http", "https", "ws", "wss", "ftp", "file"))
_STRIPPED = "".join(map(chr, range(0x21)))
_IGNORED = str.maketrans("", "", "\t\n\r")
_NOT_IN_HOSTS = re.compile(r"[\x00\t\n\r #/:<>?@\[\\\]^|]")
_NOT_IN_DOMAINS = re.compile(r"[\x00-\x20#%/:<>?@\[\\\]^|\x7f]")
_DRIVE = re.compile(r"[A-Za-z][:|]")
_PIECE = re.compile(r"[0-9A-Fa-f]{1,4}")
_BYTE = re.compile(r"0|[1-9][0-9]{0,2}")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")
_DROPPED = re.compile("[\u00ad\u200b\u2060\ufe00-\ufe0f\ufeff\u034f\u180b-\u180d\u180f]")
_REFUSED_CATEGORIES = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"))


def is_url(text: str) -> bool:
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # lone surrogates become U+FFFD there
    found = _SCHEME.fullmatch(whole.strip(_STRIPPED).translate(_IGNORED))
    if found is None:
        return False
    scheme, rest = found[1].lower(), found[2]
    if scheme == "file":
        return _is_file(rest)
    if scheme in _SPECIAL:
        return _is_authority(re.split(r"[/\\?#]", rest.lstrip("/\\"), maxsplit=1)[0], special=True)
    return not rest.startswith("//") or _is_authority(re.split("[/?#]", rest[2:], maxsplit=1)[0], special=False)


def _is_file(rest: str) -> bool:
    if rest[:2] not in ("//", "\\\\", "/\\", "\\/"):
        return True
    host = re.split(r"[/\\?#]", rest[2:], maxsplit=1)[0]
    return not host or _DRIVE.fullmatch(host) is not None or _is_host(host, special=True)


def _is_authority(authority: str, *, special: bool) -> bool:
    _credentials, at, host = authority.rpartition("@")
    named = re.fullmatch(r"(\[[^\]]*\]?[^:]*|[^:\[]*(?:\[[^\]]*\]?[^:\[]*)*)(?::(.*))?", host, re.DOTALL)
    if named is None:
        return False
    if not named[1]:
        return not special and not at and named[2] is None
    port = named[2] or ""
    return (not port or _is_port(port)) and _is_host(named[1], special=special)


def _is_port(port: str) -> bool:
    return re.fullmatch("[0-9]+", port) is not None and int(port.lstrip("0")[:6] or "0") <= 65535


def _is_host(host: str, *, special: bool) -> bool:
    if host.startswith("["):
        return host.endswith("]") and _is_ipv6(host[1:-1])
    if not special:
        return _NOT_IN_HOSTS.search(host) is None
    domain = _ascii_domain(unquote_to_bytes(host).decode("utf-8", "replace"))
    if not domain or _NOT_IN_DOMAINS.search(domain):
        return False
    labels = domain.split(".")
    if labels[-1] == "" and len(labels) > 1:
        labels.pop()
    return not _is_number(labels[-1]) or _is_ipv4(labels)


def _ascii_domain(domain: str) -> str:
    """The domain in lower case; empty if it has no valid ASCII form."""
    mapped = domain.lower()
    if not domain.isascii():
        mapped = unicodedata.normalize("NFKC", _DROPPED.sub("", domain).lower()).lower()
        mapped = _DOTS.sub(".", unicodedata.normalize("NFC", mapped))
    return mapped if all(map(_is_label, mapped.split("."))) else ""


def _is_label(label: str) -> bool:
    if label.startswith("xn--"):
        return _is_punycode(label[4:])
    if label.isascii():
        return True
    if "\ufffd" in label or unicodedata.category(label[0]).startswith("M"):
        return False
    return not any(unicodedata.category(char) in _REFUSED_CATEGORIES for char in label if char > "\x7f")


def _is_punycode(coded: str) -> bool:
    try:
        label = coded.encode("ascii").decode("punycode")
        again = label.encode("punycode").decode("ascii")
    except (UnicodeError, ValueError, OverflowError):
        return False
    return bool(label) and not label.isascii() and again == coded and _is_label(label) and label == label.lower()


def _is_number(label: str) -> bool:
    return re.fullmatch("[0-9]+", label) is not None or _number(label) is not None


def _number(label: str) -> int | None:
    """A part of an IPv4 address by the standard: decimal, octal after `0`, hexadecimal after `0x`."""
    digits, base = label, 10
    if label[:2] in ("0x", "0X"):
        digits, base = label[2:], 16
    elif len(label) > 1 and label[0] == "0":
        digits, base = label[1:], 8
    allowed = {10: "[0-9]+", 16: "[0-9A-Fa-f]*", 8: "[0-7]*"}[base]
    if not re.fullmatch(allowed, digits):
        return None
    return int(digits[-64:] or "0", base) if len(digits.lstrip("0")) < 64 else 2**40


def _is_ipv4(labels: list[str]) -> bool:
    numbers = [_number(label) for label in labels]
    if len(numbers) > 4 or None in numbers:
        return False
    known = [number for number in numbers if number is not None]
    return all(number < 256 for number in known[:-1]) and known[-1] < 256 ** (5 - len(known))


def _is_ipv6(address: str) -> bool:
    head, gap, tail = address.partition("::")
    before, after = (part.split(":") if part else [] for part in (head, tail))
    pieces = [*before, *after]
    count = len(pieces)
    if pieces and "." in pieces[-1] and (after or not gap):
        octets = pieces.pop().split(".")
        if len(octets) != 4 or not all(_BYTE.fullmatch(octet) and int(octet) < 256 for octet in octets):
            return False
        count += 1
    return all(map(_PIECE.fullmatch, pieces)) and (count < 8 if gap else count == 8)
