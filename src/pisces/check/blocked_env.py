"""Environment variables that change how programs start: Gemini CLI refuses them from extensions."""

from __future__ import annotations

_BLOCKED = frozenset(
    """
    NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT PYTHONPATH PYTHONSTARTUP PYTHONHOME BASH_ENV ENV ZDOTDIR
    JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH PERL5OPT PERL5LIB PERLLIB RUBYOPT RUBYLIB
    """.split()
)


def is_blocked(name: str) -> bool:
    upper = name.upper()
    return upper in _BLOCKED or upper.startswith("DYLD_")
