"""Where a model is: whether an address is this machine, and whether a key may go there."""

from __future__ import annotations

from urllib.parse import urlsplit

from pisces.diagnostics import ERROR, PiscesError, Rule

MODEL_ADDRESS = Rule("model-address", ERROR, "The address of a model is none")
KEY_WITHOUT_TLS = Rule("key-without-tls", ERROR, "A key would be sent over plain HTTP to another machine")


def is_loopback(url: str) -> bool:
    """Whether an address is on this machine by its text alone: nobody is asked what a name means."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    parts = host.split(".")
    is_four = len(parts) == 4 and all(part.isdecimal() and len(part) < 4 and int(part) < 256 for part in parts)
    return host in ("localhost", "::1") or (is_four and parts[0] == "127")


def is_plain_loopback(url: str) -> bool:
    return url.lower().startswith("http://") and is_loopback(url)


def checked_address(url: str, who: str, hint: str) -> str:
    """Raises `PiscesError` for what is no address. What a browser would take for a user's name is refused too: it
    belongs into a header, and addresses are shown.
    """
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or True)
    except ValueError:
        is_address, parts = False, urlsplit("")
    if not is_address or parts.username is not None or not url.isprintable() or " " in url:
        what = "has a name or a password in it" if parts.username is not None else "is no address"
        raise PiscesError(MODEL_ADDRESS.at("", f"what is set as the address of `{who}` {what}", hint=hint))
    return url


def check_key_is_safe(url: str, who: str) -> None:
    """Raises `PiscesError` where a key would be readable on its way."""
    if url.lower().startswith("https://") or is_loopback(url):
        return
    hint = "use https, or an entry of `models` in your `config.yml` that says `plain_http: true`"
    host = urlsplit(url).hostname
    raise PiscesError(KEY_WITHOUT_TLS.at("", f"the key of `{who}` would go over plain HTTP to `{host}`", hint=hint))
