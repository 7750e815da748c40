"""Files and answers over http: few redirects, no downgrade, a token only at its own host, and an end to everything.

Proxies are those of the environment. Passwords are read from nowhere.
"""

from __future__ import annotations

import http.client
import re
import ssl
import time
import urllib.request
from urllib.parse import urljoin, urlsplit

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.packages.fetching.limits import MOST_BYTES, MOST_REPLY_BYTES, limits_of
from pisces.packages.fetching.token import origin_of, token_for, without_secrets
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pisces.packages.fetching.fetched import Errand
    from pisces.places import Places

MOST_REDIRECTS = 10
AGENT = "pisces"
_CHUNK = 1 << 16
_TOLD_EVERY = 8 << 20

DOWNLOAD_FAILED = Rule(
    "download-failed",
    ERROR,
    "A download did not succeed",
    "The host answered with an error, stopped in the middle, was too slow, or sent more than any extension needs.",
    "https://host/kit.zip, which answers 404",
    "Check the address and the connection, and try again.",
)
REDIRECT_REFUSED = Rule(
    "redirect-refused",
    ERROR,
    "A host sent the download somewhere it may not go",
    "A redirect from https to http can be changed by anybody on the way; too many redirects are a circle.",
    "https://host/kit.zip, which redirects to http://host/kit.zip",
    "Use the address that the file really has.",
)


class Reply(Value):
    """`body` yields the content and raises where it ends early, comes too slowly or is too much; else `close` it."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: Iterator[bytes]
    close: Callable[[], None]

    def whole(self) -> bytes:
        return b"".join(self.body)


class Asked(Value):
    """What to ask for; `most` is the number of bytes that are taken."""

    url: str
    places: Places
    headers: Mapping[str, str] = EMPTY
    method: str = "GET"
    most: int = MOST_REPLY_BYTES


def download(url: str, path: str, errand: Errand, *, accept: str = "*/*") -> str:
    """Writes what a URL gives into a file. Returns its ETag."""
    reply = ask(Asked(url, errand.places, {"Accept": accept}, most=MOST_BYTES))
    if reply.status != 200:
        reply.close()
        raise PiscesError(unsuccessful(reply))
    with open(path, "wb") as file:
        for chunk in _told(reply.body, errand.report):
            file.write(chunk)
    return reply.headers.get("etag", "")


def unchanged(url: str, etag: str, places: Places) -> bool:
    """Whether a file is the one that had this ETag."""
    reply = ask(Asked(url, places, {"If-None-Match": etag}, "HEAD"))
    reply.close()
    if reply.status in (405, 501):
        return False  # a host that does not answer such questions
    if reply.status not in (200, 304):
        raise PiscesError(unsuccessful(reply))
    return reply.status == 304 or reply.headers.get("etag") == etag


def ask(asked: Asked) -> Reply:
    """One request and its redirects. Any status comes back; no connection, or no end, is an error."""
    late = time.monotonic() + limits_of(asked.places.env).whole
    url = asked.url
    for _hop in range(MOST_REDIRECTS + 1):
        reply = _asked_once(asked, url, late)
        target = reply.headers.get("location", "")
        if reply.status not in (301, 302, 303, 307, 308) or not target:
            return reply
        reply.close()
        url = _next(url, target, asked)
    raise PiscesError(REDIRECT_REFUSED.at(asked.url, f"more than {MOST_REDIRECTS} redirects"))


def unsuccessful(reply: Reply, said: str = "") -> Diagnostic:
    word = http.client.responses.get(reply.status, "unknown")
    message = f"the host answered {reply.status} ({word}){': ' + said if said else ''}"
    hint = "if it is private, set GITHUB_TOKEN" if reply.status in (401, 403, 404) else ""
    return DOWNLOAD_FAILED.at(_plain(reply.url), message, hint=hint)


def _asked_once(asked: Asked, url: str, late: float) -> Reply:
    headers = {"User-Agent": AGENT, **asked.headers}
    request = urllib.request.Request(url, headers=headers, method=asked.method)
    token = token_for(url, asked.places.env)
    if token and origin_of(url) == origin_of(asked.url):
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    limits = limits_of(asked.places.env)
    try:
        found = _opener(url, asked.places.env).open(request, timeout=min(limits.silence, limits.whole))
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise PiscesError(_broken(asked, error)) from None
    named = {name.lower(): value for name, value in found.headers.items()}
    return Reply(found.status, url, named, _body(found, asked, late), found.close)


def _body(found: http.client.HTTPResponse, asked: Asked, late: float) -> Iterator[bytes]:
    expected = -1 if asked.method == "HEAD" else _length(found)
    total = 0
    with found:
        while chunk := _chunk(found, asked):
            total += len(chunk)
            if total > asked.most:
                message = f"more than {asked.most >> 20} MiB"
                raise PiscesError(DOWNLOAD_FAILED.at(_plain(asked.url), message))
            if time.monotonic() > late:
                seconds = f"{limits_of(asked.places.env).whole:g}"
                hint = "set PISCES_FETCH_TIMEOUT to more seconds"
                message = f"not finished after {seconds} seconds, at {total:,} bytes"
                raise PiscesError(DOWNLOAD_FAILED.at(_plain(asked.url), message, hint=hint))
            yield chunk
    if 0 <= total < expected:
        message = f"the connection ended after {total:,} of {expected:,} bytes"
        raise PiscesError(DOWNLOAD_FAILED.at(_plain(asked.url), message, hint="try again"))


def _chunk(found: http.client.HTTPResponse, asked: Asked) -> bytes:
    try:
        return found.read1(_CHUNK)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise PiscesError(_broken(asked, error)) from None


def _length(found: http.client.HTTPResponse) -> int:
    length = found.headers.get("Content-Length", "")
    return int(length) if re.fullmatch("[0-9]{1,15}", length) else -1


def _next(url: str, target: str, asked: Asked) -> str:
    """Where a redirect leads, if it may."""
    try:
        following = urljoin(url, re.sub(r"[\x00-\x20\x7f]", "", target))
        parts = urlsplit(following)
    except ValueError:
        raise PiscesError(REDIRECT_REFUSED.at(_plain(asked.url), "redirected to what is no address")) from None
    before = urlsplit(asked.url).scheme.lower()
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise PiscesError(REDIRECT_REFUSED.at(_plain(asked.url), f"redirected to `{_plain(following)}`"))
    if before == "https" and parts.scheme.lower() != "https":
        message = f"redirected from https to `{_plain(following)}`"
        raise PiscesError(REDIRECT_REFUSED.at(_plain(asked.url), message))
    if "@" in parts.netloc:
        raise PiscesError(REDIRECT_REFUSED.at(_plain(asked.url), "redirected to a URL with a password"))
    return following


def _opener(url: str, env: Mapping[str, str]) -> urllib.request.OpenerDirector:
    """Without the parts of urllib that follow redirects, raise for statuses, or look for passwords."""
    opener = urllib.request.OpenerDirector()
    opener.add_handler(urllib.request.ProxyHandler(_proxies(url, env)))
    opener.add_handler(urllib.request.UnknownHandler())
    if url.lower().startswith("https:"):
        authorities = (env.get("SSL_CERT_FILE") or None, env.get("SSL_CERT_DIR") or None)
        tls = ssl.create_default_context(cafile=authorities[0], capath=authorities[1])
        opener.add_handler(urllib.request.HTTPSHandler(context=tls))
    else:
        opener.add_handler(urllib.request.HTTPHandler())
    return opener


def _proxies(url: str, env: Mapping[str, str]) -> dict[str, str]:
    """The proxy that the environment names for a URL. Inside a CGI program `HTTP_PROXY` is the client's to set."""
    parts = urlsplit(url)
    scheme, host = parts.scheme.lower(), parts.hostname or ""
    names = [f"{scheme}_proxy", f"{scheme}_PROXY".upper(), "all_proxy", "ALL_PROXY"]
    if "REQUEST_METHOD" in env and scheme == "http":
        names.remove("HTTP_PROXY")
    proxy = next((env[name] for name in names if env.get(name)), "")
    excluded = env.get("no_proxy") or env.get("NO_PROXY") or ""
    if not proxy or urllib.request.proxy_bypass_environment(host, {"no": excluded}):  # type: ignore[attr-defined]
        return {}
    return {scheme: proxy}


def _told(chunks: Iterator[bytes], report: Callable[[str], None]) -> Iterator[bytes]:
    total = told = 0
    for chunk in chunks:
        total += len(chunk)
        if total - told >= _TOLD_EVERY:
            told = total
            report(f"{total >> 20} MiB")
        yield chunk


def _broken(asked: Asked, error: Exception) -> Diagnostic:
    reason = getattr(error, "reason", error)
    hint = "check the connection, the address and the proxy"
    if isinstance(reason, TimeoutError):
        message = f"nothing came for {limits_of(asked.places.env).silence:g} seconds"
        hint = "try again, or set PISCES_HTTP_TIMEOUT to more seconds"
    elif isinstance(reason, http.client.IncompleteRead):
        message, hint = "the connection ended in the middle", "try again"
    else:
        message = without_secrets(f"{reason}" or type(error).__name__, asked.places.env)
    return DOWNLOAD_FAILED.at(_plain(asked.url), message, hint=hint)


def _plain(url: str) -> str:
    """A URL without what may be secret: signed addresses carry their permission behind the question mark."""
    return re.sub("//[^/]*@", "//", url.partition("?")[0])
