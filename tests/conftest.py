"""For all tests: a busy machine is slow, and signals work, whoever started the tests in the background."""

from __future__ import annotations

import gc
import signal
import threading
from typing import Any

from hypothesis import HealthCheck, settings

settings.register_profile("pisces", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pisces")

# A shell without job control lets its background programs ignore Ctrl-C, and `nohup` the end of the terminal. Children
# would inherit that, and the tests that send these signals would wait for ever.
_USUAL: dict[str, Any] = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL, "SIGTERM": signal.SIG_DFL}
if threading.current_thread() is threading.main_thread():
    for _name, _action in _USUAL.items():
        _number = getattr(signal, _name, None)
        if _number is not None and signal.getsignal(_number) == signal.SIG_IGN:
            signal.signal(_number, _action)

# Twenty thousand collected tests stay: the collector need not look at them while they are made, nor ever again.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
