"""What modules print must not appear in the middle of somebody's screen or JSON: it is caught and reported once.

While a runner is open, text that a module's code writes to stdout is recorded, the last of it only. Other code writes
as before.
"""

from __future__ import annotations

import sys
from typing import Any

from pisces.events.emit import Report
from pisces.events.time_limit import current_module
from pisces.shapes.events.surroundings import ModuleFailed

MOST_RECORDED = 64 * 1024


class Output:
    """Opened and closed with the runner. `printed` has the last text of each module."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._divided: _Divided | None = None
        self.printed: dict[str, str] = {}

    def open(self) -> None:
        self._divided = sys.stdout = _Divided(sys.stdout, self)

    def close(self) -> None:
        """Runners that started after us may still be open: they continue with what was before us."""
        if self._divided is None:
            return
        ours, latest = self._divided, sys.stdout
        while isinstance(latest, _Divided) and latest is not ours:
            if latest.real is ours:
                latest.real = ours.real
                break
            latest = latest.real
        else:  # it is us, or whatever a module has put there
            sys.stdout = ours.real
        self._divided = None

    def keep(self, module: str, text: str) -> None:
        is_first = module not in self.printed
        self.printed[module] = (self.printed.get(module, "") + text)[-MOST_RECORDED:]
        if is_first:  # recorded before it is reported: whoever hears the report may print
            message = "prints to stdout, which belongs to the program that runs it: use `pisces.ui.notify`"
            self.report(ModuleFailed(module, "print", message))


class _Divided:
    """Replaces stdout. Text of a module's code goes to `Output`, other text to the real stream."""

    def __init__(self, real: Any, output: Output) -> None:
        self.real = real
        self._output = output

    def write(self, text: str) -> int:
        module = current_module(self._output.report)
        if not module:
            written: int = self.real.write(text)
            return written
        self._output.keep(module, text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        self.write("".join(lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)
