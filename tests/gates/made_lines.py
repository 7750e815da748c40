"""Shell lines made up from a seed: every construct of the language inside every other. Not a test by itself."""

from __future__ import annotations

import random

_WORDS = ("a", "b-c", "x.y", "/bin/d", "-e", "--f=g", "1", "h_i", "./j", "k:l", "m@n", "%", "+", "=z", "é")
_NAMES = ("ls", "git", "cat", "./run", "/bin/x", "make", "npm", "p-q", "echo", "e2")
_VARIABLES = ("A", "B_1", "HOME", "x")


class LineMaker:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._documents: list[str] = []

    def line(self) -> str:
        text = self._script(3)
        return "\n".join((text, *self._documents)) if self._documents else text

    def _pick(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _script(self, depth: int) -> str:
        parts = [self._pipeline(depth)]
        while self._chance(0.3) and len(parts) < 4:
            parts.append(self._pick(" && ", " || ", "; ", " ; ", ";") + self._pipeline(depth))
        return "".join(parts)

    def _pipeline(self, depth: int) -> str:
        parts = [self._command(depth)]
        while self._chance(0.2) and len(parts) < 3:
            parts.append(self._command(depth))
        return self._pick(" | ", "|", " |  ").join(parts)

    def _command(self, depth: int) -> str:
        if depth > 0 and self._chance(0.2):
            return self._compound(depth - 1)
        return self._simple(depth)

    def _compound(self, depth: int) -> str:
        inner = self._script(depth)
        other = self._script(depth)
        word = self._word(depth)
        return self._pick(
            f"({inner})",
            f"{{ {inner}; }}",
            f"if {inner}; then {other}; fi",
            f"if {inner}; then {other}; else {inner}; fi",
            f"while {inner}; do {other}; done",
            f"until {inner}; do {other}; done",
            f"for v in {word} b; do {inner}; done",
            f"case {word} in a) {inner};; b|c) {other};; esac",
            f"case {word} in (a) {inner};; *) {other} ;; esac",
            f"[[ -n {word} ]] && {inner}",
        )

    def _simple(self, depth: int) -> str:
        prefix = "".join(f"{self._pick(*_VARIABLES)}={self._value(depth)} " for _ in range(2) if self._chance(0.08))
        prefix = ("! " if self._chance(0.05) else "") + prefix
        words = [self._name(), *(self._word(depth) for _ in range(self._random.randrange(4)))]
        redirects = [self._redirect() for _ in range(2) if self._chance(0.12)]
        return prefix + self._pick(" ", "  ", " ").join([*words, *redirects])

    def _name(self) -> str:
        name = self._pick(*_NAMES)
        return self._pick(name, name, name, f"'{name}'", f'"{name}"', f"\\{name}" if name.isalpha() else name)

    def _value(self, depth: int) -> str:
        return self._pick("1", "'a b'", '"x"', self._part(depth))

    def _word(self, depth: int) -> str:
        if self._chance(0.05):
            return f"\\{self._pick(';', '&', '$', 'z', '*')}"
        if self._chance(0.04) and depth > 0:
            return f"<({self._script(depth - 1)})"
        return "".join(self._part(depth) for _ in range(1 if self._chance(0.7) else 2))

    def _part(self, depth: int) -> str:
        plain = self._pick(*_WORDS)
        if self._chance(0.55):
            return plain
        simple = (
            f"'{plain} b;c|d'",
            f'"{plain} (e)"',
            f"${self._pick(*_VARIABLES)}",
            f"${{{self._pick(*_VARIABLES)}}}",
            f'"${self._pick(*_VARIABLES)} f"',
            f'"\\"{plain}\\$"',
            "*.py",
        )
        if depth <= 0 or self._chance(0.6):
            return self._pick(*simple)
        inner = self._script(depth - 1)
        return self._pick(f"$({inner})", f'"$({inner})"', f'"a $({inner}) b"', f"${{A:-{plain}}}")

    def _redirect(self) -> str:
        if self._chance(0.15):
            end = f"E{len(self._documents)}"
            self._documents.append(f"text ; rm x | y\n{end}")
            return f"<<'{end}'"
        target = self._part(0)
        return self._pick(f"> {target}", f">>{target}", "2>&1", "2> /dev/null", f"< {target}", f"<<< {target}", "&> a")
