"""Pickles that run code when they are loaded: they name a function that starts programs or evaluates text."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import BINARY, TEXT, Page, excerpt
from pisces.scanning.roles import ending_of

PICKLE = Rule("scan-pickle", ERROR, "A pickle runs code when it is loaded")

_ENDINGS = ("pkl", "pickle", "pt", "pth", "bin", "joblib", "dill", "model", "ckpt", "dat", "p")
_MODULES = (
    rb"(?:posix|nt|os|subprocess|builtins|__builtin__|pty|commands|runpy|importlib|socket|webbrowser|shutil|sys|ctypes)"
)
_NAMES = (
    rb"(?:system|popen\w{0,4}|Popen|call|check_call|check_output|run|exec|eval|compile|spawn\w{0,4}|execfile|__import__"
    rb"|import_module|getattr|rmtree|run_path|create_connection)"
)
# The opcode GLOBAL with two lines, or two short strings for STACK_GLOBAL.
_RUNS = re.compile(rb"c" + _MODULES + rb"\n" + _NAMES + rb"\n|\x8c." + _MODULES + rb"(?:\x94)?\x8c." + _NAMES, re.S)
_START = (b"\x80", b"c", b"(")


def _find(page: Page) -> Diagnostics:
    if ending_of(page.name) not in _ENDINGS and not page.data.startswith(
        (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
    ):
        return
    found = _RUNS.search(page.data) if page.data.startswith(_START) else None
    if found:
        called = found[0].decode("latin-1").replace("\n", " ")
        message = f"loading it calls `{excerpt(''.join(each for each in called if each.isprintable()))}`"
        yield PICKLE.at(page.path, message, hint="delete it; ask for weights in a format without code")


DETECTOR = Detector("pickles that run code", _find, kinds=(TEXT, BINARY), everywhere=True)
