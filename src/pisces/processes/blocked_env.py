"""Environment variables that change how programs start. Whoever sets one of them runs code in every program after it.

Two lists, because two questions are asked: what Gemini CLI 0.61 refuses from extensions (`check` tells authors), and
what pisces itself never takes from a package or hands to a child. The second contains the first.
"""

from __future__ import annotations

_OF_GEMINI = frozenset(
    """
    NODE_OPTIONS NODE_CLI_FLAGS _FORCE_NODE_OPTIONS NODE_PATH ELECTRON_RUN_AS_NODE PYTHONPATH PYTHONSTARTUP RUBYOPT
    RUBYLIB PERL5OPT PERL5LIB PERL5DB LD_PRELOAD LD_AUDIT LD_DEBUG LD_PROFILE LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES
    DYLD_FORCE_FLAT_NAMESPACE DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH DYLD_FALLBACK_LIBRARY_PATH
    DYLD_FALLBACK_FRAMEWORK_PATH BASH_ENV ENV JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH DOTNET_STARTUP_HOOKS
    CORECLR_PROFILER_PATH CORECLR_ENABLE_PROFILING
    """.split()
)
_MORE = frozenset(
    """
    PATH PATHEXT COMSPEC SHELL SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND IFS ZDOTDIR FPATH EDITOR VISUAL PAGER BROWSER
    PYTHONHOME PYTHONEXECUTABLE PYTHONINSPECT PYTHONUSERBASE PYTHONBREAKPOINT PYTHONWARNINGS PERLLIB JDK_JAVA_OPTIONS
    CORECLR_PROFILER COR_PROFILER COR_PROFILER_PATH COR_ENABLE_PROFILING GCONV_PATH GIO_EXTRA_MODULES OPENSSL_CONF
    OPENSSL_MODULES LUA_INIT PHPRC PHP_INI_SCAN_DIR R_PROFILE R_PROFILE_USER JULIA_LOAD_PATH SSH_ASKPASS
    NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED HOME USERPROFILE
    """.split()
)
_FAMILIES = ("LD_", "DYLD_", "GIT_", "BASH_FUNC_", "NPM_CONFIG_", "PIP_", "UV_", "PISCES_", "PI_CODING_AGENT_")


def is_refused_by_gemini(name: str) -> bool:
    return name.upper() in _OF_GEMINI


def is_blocked(name: str) -> bool:
    """Whether a package may not set this variable here. GIT_ASKPASS and its like name programs to run."""
    upper = name.upper()
    return upper in _OF_GEMINI or upper in _MORE or upper.startswith(_FAMILIES)
