"""Who reads a file, by its name: a shell, an interpreter, an agent, a program or a person."""

from __future__ import annotations

import re

from pisces.scanning.known_files import KnownFiles

SHELL = "shell"  # runs as a whole
SOURCE = "source"  # a program; what is in its strings may or may not run
PROMPT = "prompt"  # an agent follows it
CONFIG = "config"  # a program reads it; some values in it run
DOC = "doc"  # people read it

_SHELL_ENDINGS = ("sh", "bash", "zsh", "fish", "ksh", "ps1", "psm1", "bat", "cmd", "command", "envrc")
_SOURCE_ENDINGS = (
    *(
        "py",
        "pyw",
        "pth",
        "js",
        "mjs",
        "cjs",
        "ts",
        "mts",
        "cts",
        "jsx",
        "tsx",
        "rb",
        "pl",
        "pm",
        "php",
        "lua",
        "go",
        "rs",
    ),
    *(
        "gemspec",
        "podspec",
        "rake",
        "gradle",
        "groovy",
        "kts",
        "dart",
        "exs",
        "java",
        "kt",
        "swift",
        "c",
        "cc",
        "cpp",
        "h",
        "cs",
        "scala",
        "applescript",
        "scpt",
        "vbs",
        "r",
        "jl",
        "ex",
    ),
)
_CONFIG_ENDINGS = (
    "json",
    "jsonc",
    "json5",
    "toml",
    "yaml",
    "yml",
    "ini",
    "cfg",
    "conf",
    "env",
    "plist",
    "xml",
    "lock",
    "gyp",
)
_PROMPT_ENDINGS = ("mdc", "prompt", "windsurfrules")
_DOC_ENDINGS = (
    "md",
    "markdown",
    "mdx",
    "txt",
    "rst",
    "adoc",
    "html",
    "htm",
    "svg",
    "csv",
    "tsv",
    "snap",
    "diff",
    "patch",
)
_SHELL_NAMES = ("makefile", "gnumakefile", "justfile", "procfile", "rakefile")
_SOURCE_NAMES = ("dockerfile", "containerfile")  # what they run is inside of a container
_PROMPT_NAMES = ("skill.md", "memory.md")
_PROMPT_FOLDERS = ("skills", "commands", "agents", "prompts", "rules", "instructions", "output-styles", "subagents")
_DOC_NAMES = re.compile(r"(?:readme|changelog|contributing|security|license|licence|notice|history|authors)\b")
_DOC_FOLDERS = ("node_modules", ".github", "docs", "doc", "test", "tests", "__tests__", "fixtures", "examples")
_ASIDE_FOLDERS = (
    *("test", "tests", "__tests__", "fixtures", "testdata", "evals"),
    *("examples", "docs", "doc", ".github"),
)
_TEST_NAME = re.compile(r"[._-]test\.\w{1,5}$|\.spec\.\w{1,5}$|^test[_-][\w-]{1,80}\.\w{1,5}$")
_SHEBANG = re.compile(r"#![^\n]{0,100}?\b(?:(?:ba|z|da|k|a|fi)?sh|pwsh)\b")
_READ_AS_TEXT = {*_SHELL_ENDINGS, *_SOURCE_ENDINGS, *_CONFIG_ENDINGS, *_PROMPT_ENDINGS, *_DOC_ENDINGS}


def ending_of(name: str) -> str:
    """In lower case, without its dot; `.envrc` ends in `envrc`."""
    base = name.rpartition("/")[2].lower()
    return base.rpartition(".")[2] if "." in base else ""


def is_named_as_text(name: str, known: KnownFiles) -> bool:
    is_text = ending_of(name) in _READ_AS_TEXT or name.rpartition("/")[2].lower() in (*_SHELL_NAMES, *_SOURCE_NAMES)
    return is_text or _is_context(name, known)


def _is_context(name: str, known: KnownFiles) -> bool:
    """By the whole name, or by the ending where a name has nothing else, such as `.cursorrules`."""
    base = name.rpartition("/")[2].lower()
    return name in known.context_paths or not known.context_names.isdisjoint((base, f".{ending_of(name)}"))


def is_code(name: str) -> bool:
    """A name of a program or of a script."""
    ending, base = ending_of(name), name.rpartition("/")[2].lower()
    return ending in _SHELL_ENDINGS or ending in _SOURCE_ENDINGS or base in _SHELL_NAMES


def is_document(name: str) -> bool:
    """A name of something that people or programs read."""
    return ending_of(name) in (*_DOC_ENDINGS, *_CONFIG_ENDINGS, *_PROMPT_ENDINGS)


def is_about_package(name: str) -> bool:
    """A readme, a list of changes, a licence and the like: for people who look at the package."""
    return bool(_DOC_NAMES.match(name.rpartition("/")[2].lower()))


def is_example(name: str) -> bool:
    """A test, an example or a document: not loaded when the package is used. A skill may have any name."""
    *folders, base = name.lower().split("/")
    if base in _PROMPT_NAMES:
        return False
    named = [folder for above, folder in zip(("", *folders), folders, strict=False) if above != "skills"]
    return any(folder in _ASIDE_FOLDERS for folder in named) or bool(_TEST_NAME.search(base))


def role_of(name: str, text: str, known: KnownFiles) -> str:
    ending, base, folders = ending_of(name), name.rpartition("/")[2].lower(), name.lower().split("/")[:-1]
    if text.startswith("#!"):
        return SHELL if _SHEBANG.match(text) else SOURCE
    if ending in _SHELL_ENDINGS or base in _SHELL_NAMES or ("hooks" in folders[-1:] and ".git" in folders):
        return SHELL
    if ending in _SOURCE_ENDINGS or base in _SOURCE_NAMES:
        return SOURCE
    if base in _PROMPT_NAMES or ending in _PROMPT_ENDINGS or _is_context(name, known):
        return PROMPT
    return _role_of_words(ending, base, folders)


def _role_of_words(ending: str, base: str, folders: list[str]) -> str:
    is_doc = bool(_DOC_NAMES.match(base)) or any(folder in _DOC_FOLDERS for folder in folders)
    if ending in ("md", "markdown", "txt", "toml", "yaml", "yml") and any(each in _PROMPT_FOLDERS for each in folders):
        return DOC if is_doc else PROMPT
    if ending in _CONFIG_ENDINGS or base.startswith(".env"):
        return CONFIG
    return DOC
