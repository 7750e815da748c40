"""Downloads over HTTP: few redirects, no downgrade to http, the token only for its own host, and limits for everything.

Proxies are those of the environment. No passwords are read.
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

    from pisces.packages.fetching.fetched import FetchJob
    from pisces.places import Places

MOST_REDIRECTS = 10
AGENT = "pisces"
_CHUNK = 1 << 16
_REPORTED_EVERY = 8 << 20

DOWNLOAD_FAILED = Rule("download-failed", ERROR, "A download did not succeed")
REDIRECT_REFUSED = Rule("redirect-refused", ERROR, "A host sent the download somewhere it may not go")


class DownloadReply(Value):
    """`body` yields the content. It raises if the content ends early, is too slow or too large. Else `close` it."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: Iterator[bytes]
    close: Callable[[], None]

    def whole(self) -> bytes:
        return b"".join(self.body)


class DownloadRequest(Value):
    """`most` is the maximum number of bytes of the content."""

    url: str
    places: Places
    headers: Mapping[str, str] = EMPTY
    method: str = "GET"
    most: int = MOST_REPLY_BYTES


def download(url: str, path: str, job: FetchJob, *, accept: str = "*/*") -> str:
    """Downloads a URL into a file. Returns the ETag."""
    reply = ask(DownloadRequest(url, job.places, {"Accept": accept}, most=MOST_BYTES))
    if reply.status != 200:
        reply.close()
        raise PiscesError(unsuccessful(reply))
    with open(path, "wb") as file:
        for chunk in _reported(reply.body, job.report):
            file.write(chunk)
    return reply.headers.get("etag", "")


def unchanged(url: str, etag: str, places: Places) -> bool:
    """Whether a file still has this ETag."""
    reply = ask(DownloadRequest(url, places, {"If-None-Match": etag}, "HEAD"))
    reply.close()
    if reply.status in (405, 501):
        return False  # the host does not support HEAD
    if reply.status not in (200, 304):
        raise PiscesError(unsuccessful(reply))
    return reply.status == 304 or reply.headers.get("etag") == etag


def ask(asked: DownloadRequest) -> DownloadReply:
    """One request, with its redirects. Returns any status; raises without a connection or after the limits."""
    deadline = time.monotonic() + limits_of(asked.places.env).whole
    url = asked.url
    for _hop in range(MOST_REDIRECTS + 1):
        reply = _asked_once(asked, url, deadline)
        target = reply.headers.get("location", "")
        if reply.status not in (301, 302, 303, 307, 308) or not target:
            return reply
        reply.close()
        url = _next(url, target, asked)
    raise _redirect_refused(asked, f"more than {MOST_REDIRECTS} redirects")


def unsuccessful(reply: DownloadReply, said: str = "") -> Diagnostic:
    word = http.client.responses.get(reply.status, "unknown")
    message = f"the host answered {reply.status} ({word}){': ' + said if said else ''}"
    hint = "if it is private, set GITHUB_TOKEN" if reply.status in (401, 403, 404) else ""
    return DOWNLOAD_FAILED.at(_plain(reply.url), message, hint=hint)


def _asked_once(asked: DownloadRequest, url: str, deadline: float) -> DownloadReply:
    headers = {"User-Agent": AGENT, **asked.headers}
    request = urllib.request.Request(url, headers=headers, method=asked.method)
    token = token_for(url, asked.places.env)
    if token and origin_of(url) == origin_of(asked.url):
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    limits = limits_of(asked.places.env)
    try:
        found = _opener(url, asked.places.env).open(request, timeout=min(limits.silence, limits.whole))
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _broken(asked, error) from None
    named = {name.lower(): value for name, value in found.headers.items()}
    return DownloadReply(found.status, url, named, _body(found, asked, deadline), found.close)


def _body(found: http.client.HTTPResponse, asked: DownloadRequest, deadline: float) -> Iterator[bytes]:
    expected = -1 if asked.method == "HEAD" else _length(found)
    total = 0
    with found:
        while chunk := _chunk(found, asked):
            total += len(chunk)
            if total > asked.most:
                raise _failed(asked, f"more than {asked.most >> 20} MiB")
            if time.monotonic() > deadline:
                message = f"not finished after {limits_of(asked.places.env).whole:g} seconds, at {total:,} bytes"
                raise _failed(asked, message, "set PISCES_FETCH_TIMEOUT to more seconds")
            yield chunk
    if 0 <= total < expected:
        raise _failed(asked, f"the connection ended after {total:,} of {expected:,} bytes", "try again")


def _chunk(found: http.client.HTTPResponse, asked: DownloadRequest) -> bytes:
    try:
        return found.read1(_CHUNK)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _broken(asked, error) from None


def _length(found: http.client.HTTPResponse) -> int:
    length = found.headers.get("Content-Length", "")
    return int(length) if re.fullmatch("[0-9]{1,15}", length) else -1


def _next(url: str, target: str, asked: DownloadRequest) -> str:
    """The target of a redirect, if it is allowed."""
    try:
        following = urljoin(url, re.sub(r"[\x00-\x20\x7f]", "", target))
        parts = urlsplit(following)
    except ValueError:
        raise _redirect_refused(asked, "redirected to what is no address") from None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise _redirect_refused(asked, f"redirected to `{_plain(following)}`")
    if urlsplit(url).scheme.lower() == "https" and parts.scheme.lower() != "https":
        raise _redirect_refused(asked, f"redirected from https to `{_plain(following)}`")
    if "@" in parts.netloc:
        raise _redirect_refused(asked, "redirected to a URL with a password")
    return following


def _redirect_refused(asked: DownloadRequest, message: str) -> PiscesError:
    return PiscesError(REDIRECT_REFUSED.at(_plain(asked.url), message))


def _opener(url: str, env: Mapping[str, str]) -> urllib.request.OpenerDirector:
    """An opener that does not follow redirects, raise for a status or look for passwords."""
    opener = urllib.request.OpenerDirector()
    opener.add_handler(urllib.request.ProxyHandler(_proxies(url, env)))
    opener.add_handler(urllib.request.UnknownHandler())
    if url.lower().startswith("https:"):
        cafile, capath = env.get("SSL_CERT_FILE") or None, env.get("SSL_CERT_DIR") or None
        tls = ssl.create_default_context(cafile=cafile, capath=capath)
        opener.add_handler(urllib.request.HTTPSHandler(context=tls))
    else:
        opener.add_handler(urllib.request.HTTPHandler())
    return opener


def _proxies(url: str, env: Mapping[str, str]) -> dict[str, str]:
    """The proxy that the environment names for a URL. `HTTP_PROXY` is ignored in CGI: the client sets it."""
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


def _reported(chunks: Iterator[bytes], report: Callable[[str], None]) -> Iterator[bytes]:
    total = reported = 0
    for chunk in chunks:
        total += len(chunk)
        if total - reported >= _REPORTED_EVERY:
            reported = total
            report(f"{total >> 20} MiB\r")
        yield chunk


def _broken(asked: DownloadRequest, error: Exception) -> PiscesError:
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        message = f"nothing came for {limits_of(asked.places.env).silence:g} seconds"
        return _failed(asked, message, "try again, or set PISCES_HTTP_TIMEOUT to more seconds")
    if isinstance(reason, http.client.IncompleteRead):
        return _failed(asked, "the connection ended in the middle", "try again")
    message = without_secrets(f"{reason}" or type(error).__name__, asked.places.env)
    return _failed(asked, message, "check the connection, the address and the proxy")


def _failed(asked: DownloadRequest, message: str, hint: str = "") -> PiscesError:
    return PiscesError(DOWNLOAD_FAILED.at(_plain(asked.url), message, hint=hint))


def _plain(url: str) -> str:
    """A URL without user, password and query: signed URLs have their permission in the query."""
    return re.sub("//[^/]*@", "//", url.partition("?")[0])
