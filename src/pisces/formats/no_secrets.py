"""Configuration without what may be a secret: the names of variables and headers are shown, their values are not."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TABLES_OF_SECRETS = ("env", "environment", "headers", "http_headers", "httpheaders", "requestinit")
_SIGNS_OF_CODE = frozenset(" \t\r\n`|;&<>()\"'$")
_INTERPRETERS = frozenset("sh bash dash ash zsh ksh fish busybox python pypy node deno bun perl ruby php lua".split())
_CODE_FOLLOWS = ("--eval", "--command", "--print")
_SECRET_ENDS = ("token", "secret", "password", "passwd", "apikey", "accesskey", "privatekey", "authorization", "cookie")


def without_secrets(value: Any) -> Any:
    """The same with None for what may be a secret: values of an environment, headers, whatever is called a token.

    A reference to a variable is none.
    """
    if isinstance(value, dict):
        return {key: _without_secret(str(key), each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return _without_secret_words(value)
    return safe_address(value) if isinstance(value, str) and "://" in value else value


def safe_address(text: str) -> str:
    """An address without a password and without the values of `?token=` and its like."""
    start, slashes, rest = text.partition("://")
    host, at, after = rest.partition("@")
    if at and "/" not in host and ":" in host and not _may_be_run(host):
        rest = f"{host.partition(':')[0]}:@{after}"
    path, mark, query = rest.partition("?")
    parts = [_safe_part(each) for each in query.split("&")]
    return f"{start}{slashes}{path}{mark}{'&'.join(parts)}"


def _safe_part(part: str) -> str:
    name, equals, value = part.partition("=")
    is_secret = _plain(name).endswith((*_SECRET_ENDS, "key")) and not _is_variable(value) and not _may_be_run(value)
    return f"{name}{equals}" if is_secret else part


def _without_secret(key: str, value: Any) -> Any:
    plain = _plain(key)
    if isinstance(value, dict) and plain in _TABLES_OF_SECRETS:
        return {name: each if _is_variable(each) else None for name, each in value.items()}
    if isinstance(value, str) and plain.endswith(_SECRET_ENDS):
        return value if _is_variable(value) else None
    return without_secrets(value)


def _is_variable(value: Any) -> bool:
    """`$NAME` and `${NAME}` say where a secret is, not what it is."""
    name = value.strip("{}") if isinstance(value, str) else ""
    return name.startswith("$") and name[1:].strip("{}:").replace("_", "").isalnum()


def _without_secret_words(words: list[Any] | tuple[Any, ...]) -> list[Any]:
    """Of a command line `--token X` and `--api-key=X` lose the X. What follows code for an interpreter is shown."""
    made: list[Any] = []
    before = ""
    plain = _before_code(words)
    for word in words[:plain]:
        name, equals, value = word.partition("=") if isinstance(word, str) else ("", "", "")
        if isinstance(word, str) and _is_secret_flag(before) and not word.startswith("-") and not _may_be_run(word):
            made.append(None)
        elif equals and _is_secret_flag(name) and not _may_be_run(value):
            made.append(f"{name}=")
        else:
            made.append(without_secrets(word))
        before = word if isinstance(word, str) else ""
    return [*made, *words[plain:]]


def _before_code(words: list[Any] | tuple[Any, ...]) -> int:
    """How many words come before the code that an interpreter is given: `bash -c CODE` may run every word after it."""
    is_interpreter = False
    for at, word in enumerate(words):
        if not isinstance(word, str):
            continue
        is_option = word.startswith("-") and not word.startswith("--") and word.endswith(("c", "e", "r", "p"))
        if is_interpreter and (is_option or word in _CODE_FOLLOWS):
            return at
        is_interpreter = is_interpreter or word.rpartition("/")[2].rstrip(".0123456789") in _INTERPRETERS
    return len(words)


def _may_be_run(text: str) -> bool:
    """Whether it has signs that a shell reads as code: `sh -c CODE --token MORE` may run MORE, so that is shown."""
    return not _SIGNS_OF_CODE.isdisjoint(text)


def _is_secret_flag(word: str) -> bool:
    return word.startswith("-") and _plain(word).endswith(_SECRET_ENDS)


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")
