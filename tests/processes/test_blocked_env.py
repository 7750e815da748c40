"""A package cannot set a variable that makes a runtime load other code. Its own variables and plain switches it can."""

from __future__ import annotations

import pytest

from pisces.processes.blocked_env import is_blocked, is_refused_by_gemini
from pisces.processes.environment import child_env

LOADS_CODE = """
PYTHONPYCACHEPREFIX PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONPLATLIBDIR PYTHON_PRESITE
_PYTHON_SYSCONFIGDATA_NAME __PYVENV_LAUNCHER__ NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE NODE_REPL_EXTERNAL_MODULE
TS_NODE_PROJECT BUN_OPTIONS BUN_CONFIG_PRELOAD DENO_DIR LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH
GLIBC_TUNABLES PERL5LIB PERL5OPT PERLLIB RUBYOPT RUBYLIB GEM_PATH BUNDLE_GEMFILE JAVA_TOOL_OPTIONS _JAVA_OPTIONS
JDK_JAVA_OPTIONS JAVA_HOME CLASSPATH MAVEN_OPTS BASH_ENV ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND IFS
BASH_FUNC_ls%% GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_EXEC_PATH GIT_PAGER PAGER EDITOR
VISUAL BROWSER LESSOPEN LESSCLOSE OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES PHPRC PHP_INI_SCAN_DIR LUA_INIT
LUA_INIT_5_4 LUA_PATH LUA_CPATH R_PROFILE R_PROFILE_USER R_LIBS JULIA_LOAD_PATH JULIA_DEPOT_PATH DOTNET_STARTUP_HOOKS
COR_PROFILER CORECLR_PROFILER_PATH TCLLIBPATH npm_config_script_shell NPM_CONFIG_REGISTRY PIP_INDEX_URL UV_INDEX_URL
CARGO_BUILD_RUSTC_WRAPPER RUSTC_WRAPPER RUSTFLAGS MAKEFLAGS GUILE_LOAD_PATH ERL_FLAGS ERL_LIBS ELIXIR_ERL_OPTIONS
HOSTALIASES RES_OPTIONS LOCPATH NLSPATH TERMINFO XDG_CONFIG_HOME XDG_DATA_DIRS HOME PATH SHELL ZDOTDIR SSH_ASKPASS
TAR_OPTIONS DBUS_SESSION_BUS_ADDRESS QT_PLUGIN_PATH GTK_MODULES GIO_EXTRA_MODULES PSMODULEPATH GOFLAGS AWS_PAGER
""".split()
OWN = """
GALLERY_TOKEN API_KEY GITHUB_TOKEN GITLAB_TOKEN GOOGLE_API_KEY NODE_ENV PYTHONUNBUFFERED PYTHONIOENCODING LANG TZ DEBUG
LOG_LEVEL SSH_HOST FISH_AUDIO_API_KEY PYTHONANYWHERE_API_TOKEN BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS NPM_TOKEN
RUST_LOG AWS_PROFILE KUBECONFIG VK_TOKEN LESSON_ID GOPHER_NAME
""".split()


@pytest.mark.parametrize("name", LOADS_CODE)
def test_what_makes_a_runtime_load_other_code_is_refused_in_any_case(name: str) -> None:
    assert is_blocked(name)
    assert is_blocked(name.lower())
    assert name not in child_env({}, {name: "/evil"})


@pytest.mark.parametrize("name", OWN)
def test_what_only_the_program_itself_reads_is_taken(name: str) -> None:
    assert not is_blocked(name)
    assert child_env({}, {name: "x"})[name] == "x"


def test_what_the_user_has_is_passed_on_though_a_package_cannot_set_it() -> None:
    env = child_env({"HOME": "/home/ada", "PATH": "/bin"}, {"HOME": "/evil", "PATH": "/evil"})
    assert (env["HOME"], env["PATH"]) == ("/home/ada", "/bin")


def test_what_another_program_refuses_is_refused_here_as_well() -> None:
    assert [name for name in LOADS_CODE if is_refused_by_gemini(name) and not is_blocked(name)] == []
