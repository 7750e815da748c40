"""What the finders that harnesses share can be asked for: for each, which file it is and its options with defaults.

Every harness imports this page before anything is found, so it imports no finder. The options that only package
formats use are in `package_options`.
"""

from __future__ import annotations

from pisces.discovery.harness import Finder, FinderOptions, Where
from pisces.files import SKIPPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Syntax = Literal["json", "marked", "jsonc", "lenient", "toml", "yaml"]  # as in `config_file`
    Name = Literal["header", "file", "folder"]
    Place = Literal["project", "user"]

OWN_PACKAGES = Finder("pisces.discovery.finders.own_packages")
TOML_COMMANDS = Finder("pisces.discovery.finders.toml_commands")


class Manifests(FinderOptions):
    FINDER = "pisces.discovery.finders.manifests"

    manifest: str  # the file that makes a folder a package
    format: str
    message: str = "Invalid JSON in"  # begins the warning about a syntax error
    hidden: bool = True  # folders with a leading dot count
    name_or: bool = False  # the folder's name stands for any empty name, not only for null or none
    note: str = ""  # a file that says where a linked package really is


class PackageFolders(FinderOptions):
    FINDER = "pisces.discovery.finders.package_folders"

    format: str


class Modules(FinderOptions):
    FINDER = "pisces.discovery.finders.modules"

    suffixes: tuple[str, ...] = (".py", ".ts", ".mts", ".js", ".mjs")  # of direct files, best first
    indexes: tuple[str, ...] = ("index.py", "__init__.py", "index.ts", "index.js")  # make a folder a module
    manifests: tuple[tuple[str, tuple[str, ...]], ...] = (  # file and key path; the first that is there declares
        ("pyproject.toml", ("tool", "pisces")),
        ("package.json", ("pisces",)),
        ("package.json", ("omp",)),
        ("package.json", ("pi",)),
    )
    root: bool = False  # the folder itself may be a module, by declared entries or an index
    fallback: bool = True  # an index stands for declared entries of which none exists
    patterns: bool = True  # an entry may be a pattern, and one that begins with `!`, `+` or `-` an exception
    types: bool = False  # `.d.ts` files count too
    hidden: bool = False  # names with a leading dot count
    gitignore: bool = False  # what `.gitignore` files leave out does not count, unless a manifest declares it
    declared: bool = False  # only entries that the folder itself declares count


class MarkdownCommands(FinderOptions):
    FINDER = "pisces.discovery.finders.markdown_commands"

    dialect: str = ""  # the harness whose prompt grammar it is; default: the one that looks
    separator: str = ":"  # between subfolder and file name
    recursive: bool = True
    suffixes: tuple[str, ...] = (".md",)  # longest first
    any_case: bool = False  # a suffix in capitals counts too, and stays in the name
    skipped: tuple[str, ...] = SKIPPED  # folders that are not looked into
    prefix: str = ""  # of `final_name`; `{package}` stands for the package's name
    skills: bool = False  # a subfolder with a SKILL.md is one command, named like the subfolder
    first_line: bool = False  # the body's first line stands for a missing description
    name: str = ""  # of the command, for a path that is a single file; default: that of the file
    name_field: str = ""  # a header field that replaces the file's own name
    readme: bool = True  # README.md counts
    lenient: bool = False  # a header that is not YAML is a warning, and the command stays


class SkillFolders(FinderOptions):
    FINDER = "pisces.discovery.finders.skill_folders"

    needs: tuple[str, ...] = ("name", "description")  # header fields without which the skill is dropped
    name_from: Name = "header"  # or "folder", which also stands for a header without a name
    depth: int = 1  # how many folders down: 1 is `*/SKILL.md` only, the standard's rule
    also: str = ""  # another file that makes a folder a skill where there is no SKILL.md
    root: bool = False  # a SKILL.md in the folder itself counts, and then nothing below it
    loose: bool = False  # Markdown files in the folder itself are skills too, named by their file
    hidden: bool = True  # folders with a leading dot count
    not_with: str = ""  # folders that also hold this file are something else
    reserved: tuple[str, ...] = ()  # folder names that are never skills, in small letters
    first_line: bool = False  # the body's first line stands for a missing description
    prefix: str = ""  # of the name; `{package}` stands for the package's name
    plain: bool = False  # what is no letter, digit, `-` or `_` in a folder's name becomes `-`
    lenient: bool = False  # a header that is not YAML is a warning, and the skill stays


class MarkdownAgents(FinderOptions):
    FINDER = "pisces.discovery.finders.markdown_agents"

    needs: tuple[str, ...] = ("name", "description")  # header fields without which the file is no subagent
    name_from: Name = "header"  # or "file", which also stands for a header without a name
    separator: str = ":"  # between subfolder and file name where the file's place gives the name
    nested: bool = False  # subfolders become part of a name from the header too
    recursive: bool = False
    suffixes: tuple[str, ...] = (".md",)  # longest first
    any_case: bool = False  # a suffix in capitals counts too, and stays in a name that the file gives
    skipped: tuple[str, ...] = SKIPPED  # folders that are not looked into
    prefix: str = ""  # of the name; `{package}` stands for the package's name
    no_colon: bool = False  # names with a colon are rejected, because they are those of packages
    quiet: bool = True  # a file without any header is a document, not a broken subagent
    readme: bool = True  # README.md counts
    lenient: bool = False  # a header that is not YAML is a warning, and the subagent stays


class McpConfig(FinderOptions):
    FINDER = "pisces.discovery.finders.mcp_config"
    INLINE = "servers_in"

    keys: tuple[str, ...] = ("mcpServers",)  # path to the object of servers
    flat: bool = False  # a file without that key may be the object itself
    prefix: str = ""  # of the server's name; `{package}` stands for the package's name
    switches: bool = True  # entries that are off (`disabled: true`, `enabled: false`) are left out with a note
    needs_type: bool = False  # an address without a `type` is rejected
    blank: bool = False  # an empty address is taken, as a place for the user's own
    syntax: Syntax = "json"


class SkillServers(FinderOptions):
    FINDER = "pisces.discovery.finders.skill_servers"

    file: str  # in the folder of a skill
    then: McpConfig = McpConfig()


class EventHooks(FinderOptions):
    FINDER = "pisces.discovery.finders.event_hooks"

    dialect: str
    settings: bool = False  # the file is a settings file with comments, in which `hooks` may be absent


class GroupedHooks(FinderOptions):
    FINDER = "pisces.discovery.finders.grouped_hooks"
    INLINE = "hooks_in"

    keys: tuple[str, ...] = ("hooks",)  # path to the object of events
    dialect: str = ""  # default: the harness that looks
    events: frozenset[str] | None = None  # default: those that the finder lists
    needs_text: bool = False  # a group whose `matcher` is no text is left out, unless it guards
    syntax: Syntax = "json"


class FlatHooks(FinderOptions):
    FINDER = "pisces.discovery.finders.flat_hooks"
    INLINE = "hooks_in"

    events: frozenset[str] | None = None  # default: any
    commands: tuple[str, ...] = ("command",)  # fields that may hold the command; the first that does counts
    groups: bool = False  # a list entry with a list `hooks` of its own is a group
    dialect: str = ""  # default: the harness that looks
    syntax: Syntax = "json"


class ContextWalk(FinderOptions):
    FINDER = "pisces.discovery.finders.context_walk"

    names: tuple[str, ...]  # files below each folder; `.claude/rules/*` means every file below that folder
    suffixes: tuple[str, ...] = (".md",)  # of the files below such a folder
    walk: bool = False  # look at the current directory and its parents instead of at the look's path
    top: bool = False  # walk on to the top of the file system, not only to the repository's root
    home: bool = False  # walk on to the user's home folder, where that lies above
    repository: bool = False  # outside a repository only the current directory counts
    nearest: bool = False  # the current directory first instead of last
    first: bool = False  # only the first of `names` that exists in a folder counts

    @property
    def is_deep(self) -> bool:
        return any("/" in name or name == "*" for name in self.names)


class FirstFound(FinderOptions):
    FINDER = "pisces.discovery.finders.first_found"

    names: tuple[str, ...]
    places: tuple[Place, ...] = ("project", "user")  # the harness's own folders, best first
    upward: bool = False  # "project" means the nearest such folder from here up to the repository's root


class SettingsFiles(FinderOptions):
    FINDER = "pisces.discovery.finders.settings_files"

    syntax: Syntax = "json"


class ThemeFiles(FinderOptions):
    FINDER = "pisces.discovery.finders.theme_files"

    name_field: str = ""  # a field of the file that names the theme; default: the file's own name does


class Upward(FinderOptions):
    FINDER = "pisces.discovery.finders.upward"

    inside: tuple[str, ...]  # what to look at below each folder
    then: FinderOptions  # for the finder that looks there
    repository: bool = False  # outside a repository only the current directory counts
    outermost: bool = False  # the repository's root first instead of last
    ends: bool = False  # only the current directory and the outermost folder count
    first: bool = False  # only the first folder that has something counts


class Managed(FinderOptions):
    FINDER = "pisces.discovery.finders.managed"

    folder: str  # of the machine's administrator
    inside: str
    then: FinderOptions


def prefixed(name: str, where: Where[SkillFolders | MarkdownCommands | MarkdownAgents | McpConfig]) -> str:
    """`name` after the option `prefix`, in which `{package}` stands for the package's name."""
    return where.options.prefix.replace("{package}", str(where.package.name) if where.package else "") + name
