"""Masking secrets takes time in proportion to the text. What is masked: tests/audit/test_secrets.py."""

from __future__ import annotations

import pytest
from tests.growth import LINEAR, growth

from pisces.formats.masking import HIDDEN, masked, may_need_masking

HOSTILE = [
    *("token", "token=", "token='", 'token="\\', "-token ", "://a@", "://a", "a:token:", "cookie:", '"token":'),
    *('\\"token\\":\\"', "-u a:", "authorization:", "-----BEGIN PRIVATE KEY-----", "eyJa", "\\", "token   =", "mysql "),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_text(unit: str) -> None:
    sizes = {size: f"--token{unit * size}= :@-token:" for size in (2_000, 8_000)}
    assert growth(lambda size: masked(sizes[size]), 2_000) < LINEAR


@pytest.mark.parametrize("blank", [" ", "\t", "\\"])
def test_a_name_without_a_value_costs_no_more(blank: str) -> None:
    assert growth(lambda size: masked(f"--token{blank * size}:="), 20_000) < LINEAR


def test_the_quick_look_never_says_no_where_something_is_masked() -> None:
    for text in ("x://a@b", "AKIA" + "A" * 16, "-u a:b", "X-TOKEN: y", "Cookie: a", "BEARER x", "ab_KEY=1"):
        assert masked(text) != text
        assert HIDDEN in masked(text)
        assert may_need_masking(text)
