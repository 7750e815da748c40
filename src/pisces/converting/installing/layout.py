"""Where a harness reads files of its user that belong to no package."""

from __future__ import annotations

import os

from pisces.by_name import export_of, folders_with, names_in
from pisces.converting.convert import target_named
from pisces.converting.file_changes import ChangeRoot
from pisces.converting.names import slug
from pisces.converting.writer import HARNESSES
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery.harness import all_harnesses
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

NO_LOOSE_FILES = Rule(
    "convert-cannot-install", ERROR, "A program has no user's folders that converted files could go to"
)

LONGEST_NAME = 100
MANIFEST, FILES, BACKUP = "install-manifest.json", "files", "backup"


class LooseLayout(Value):
    """`folders` are those of the user that components go to, below the harness's own folder.

    `servers` is the key of MCP servers in the file `settings`, `packages` the folder of installed packages. `own` are
    other folders that the harness has for itself.
    """

    folders: tuple[str, ...]
    settings: str
    servers: str
    packages: str
    own: tuple[str, ...] = ()


class InstallPlace(Value):
    """`home` is the harness's folder of the user, `name` the folder below it that is this package's own."""

    layout: LooseLayout
    home: str
    name: str

    @property
    def root(self) -> ChangeRoot:
        return ChangeRoot(self.home, self.name)

    @property
    def manifest(self) -> str:
        """Relative to `home`, with slashes, like all paths of a plan."""
        return f"{self.name}/{MANIFEST}"

    @property
    def files(self) -> str:
        """Where the package's other files are."""
        return f"{self.name}/{FILES}"

    def path(self, output: str) -> str:
        """Where a file of the output goes."""
        return output if output.split("/")[0] in self.layout.folders else f"{self.files}/{output}"


def install_place(target: str, package: str, places: Places) -> InstallPlace:
    """`PiscesError` where the target is unknown, or has no such folders."""
    writer = target_named(target)
    layout = _layout(writer.id)
    harness = next((each for each in all_harnesses() if each.id == writer.id), None)
    if layout is None or harness is None:
        hint = f"write a package: --to {writer.id} --out DIR"
        raise PiscesError(NO_LOOSE_FILES.at("", f"{writer.label} takes packages only", hint=hint))
    name = slug(package)[:LONGEST_NAME].strip("-")
    taken = (*layout.folders, layout.packages, *layout.own)
    return InstallPlace(layout, harness.user_path(places), f"{name}-plugin" if name in taken else name)


def other_manifests(place: InstallPlace) -> list[str]:
    """Those of other packages in the same folder, as whole paths."""
    try:
        names = sorted(os.listdir(place.home))
    except OSError:
        return []
    paths = (os.path.join(place.home, name, MANIFEST) for name in names if name != place.name)
    return [path for path in paths if os.path.isfile(path)]


def _layout(target: str) -> LooseLayout | None:
    package = f"{HARNESSES}.{target}.writing"
    if package not in folders_with(HARNESSES, "writing") or "loose" not in names_in(package):
        return None
    found: LooseLayout = export_of(package, "loose", "LOOSE")
    return found
