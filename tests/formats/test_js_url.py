"""The addresses that `new URL(text)` takes, one reason each. The whole comparison is in tests/conformance."""

from __future__ import annotations

import pytest

from pisces.formats.js_url import is_url


@pytest.mark.parametrize(
    "text",
    [
        "https://a.b/c",
        " HTTP://A ",
        "http:a",
        "https:///a",
        "a:",
        "mailto:x",
        "x://",
        "file:",
        "file://a",
        "data:,x",
        "http://[::1]:80",
        "http://[1::1.2.3.4]",
        "http://a:",
        "http://a:065535",
        "http://1.2.3",
        "http://0x1.1",
        "http://ä.de",
        "http://a..b",
        "http://u:p@h",
        "x://a%",
        "http://a_b",
        'http://"',
        "http://xn--tda",
    ],
)
def test_javascript_takes(text: str) -> None:
    assert is_url(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "//a",
        "/a",
        "1a:b",
        "http:",
        "http://",
        "http://@",
        "http://a b",
        "http://a:65536",
        "http://a:x",
        "http://[::1",
        "http://[1:2]",
        "http://[1::01.2.3.4]",
        "http://256.1.1.1",
        "http://1.2.3.4.5",
        "http://a%00",
        "http://%ff",
        "http://a|b",
        "x://a b",
        "x://:80",
        "x://@",
        "x://a:b",
        "file://a b",
        "http://xn--a",
        "http://0x1.g.1",
        "https://\ud800",
    ],
)
def test_javascript_refuses(text: str) -> None:
    assert not is_url(text)
