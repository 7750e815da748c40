"""Install, update and link: fetch into a stage, judge, ask, put in place. Nothing stays before the answer is yes."""

from __future__ import annotations

import os
import re

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery.inventory import Inventory, inspect
from pisces.packages.card import CONSENT_NEEDED, Card, CardLine, card_of
from pisces.packages.fetching import Fetched, fetch
from pisces.packages.fetching.source import FOLDER, PackageSource
from pisces.packages.settings.values import renamed_values
from pisces.packages.store.cache import cache_tree
from pisces.packages.store.store import Store, place_tree, read_index, refuse_changed, stage, write_index, writing
from pisces.packages.store.tree import Tree, tree_of
from pisces.packages.store.validate_tree import validate_tree
from pisces.shapes.installed import Installed
from pisces.shapes.request import INSTALL, Request
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pisces.places import Places
    from pisces.shapes.verdict import Judge

NOT_A_PACKAGE = Rule("not-a-package", ERROR, "There is no package at that place")
PACKAGE_UNUSABLE = Rule("package-unusable", ERROR, "The package's manifest cannot be used")
ALREADY_INSTALLED = Rule("already-installed", ERROR, "A package of that name is installed already")
UNSAFE_NAME = Rule("package-name-unsafe", ERROR, "A package's name cannot become a folder's name")

_SHOWN = 20  # packages below a folder that is none itself
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,99}")


class Prepared(Value):
    """A package in its stage, ready to be asked about."""

    name: str
    card: Card
    tree: Tree
    inventory: Inventory
    fetched: Fetched


class InstallRequest(Request):
    """What the one who decides is shown: the card, every file with its hash, and the package that would be replaced.

    `beside` are names at the top of that package's folder that are the store's, not the package's. `source` is where
    the new one comes from.
    """

    KIND = INSTALL

    card: Card
    tree: Tree
    folder: str
    installed: Installed | None = None
    beside: tuple[str, ...] = ()
    source: PackageSource | None = None

    @property
    def exact(self) -> str:
        return self.card.hash


class Outcome(Value):
    """`changed` is False where the very same files are installed already."""

    package: Installed
    card: Card
    changed: bool


class Installer(Value):
    """What every act needs: the store, the places, the gates that decide, and where progress goes.

    `report` gets a line at a time. One that ends with a carriage return is replaced by the next one.
    """

    store: Store
    places: Places
    judge: Judge
    report: Callable[[str], None]


def install(source: PackageSource, installer: Installer, *, replacing: str = "") -> Outcome:
    """`replacing` names the package that this is an update of."""
    with stage(installer.store, installer.report) as staged:
        prepared = prepare(source, staged, installer)
        index = read_index(installer.store)
        installed = index.get(replacing or prepared.name)
        refuse_clash(prepared, installed, replacing, index)
        agreed = installed is not None and has_same_files(prepared, installed)
        agreed = agreed and not (replacing and installed and is_moved(prepared, installed))
        if installed and agreed and is_intact(installed):
            noted = _noted(prepared, installed, installer) if replacing else installed
            return Outcome(noted, prepared.card, changed=False)
        if not agreed:
            folder, source = prepared.inventory.folder, prepared.fetched.source
            refuse_unless_agreed(InstallRequest(prepared.card, prepared.tree, folder, installed, (), source), installer)
        with writing(installer.store, installer.report) as index:
            installed = index.get(replacing or prepared.name)
            refuse_clash(prepared, installed, replacing, index)
            folder = place_tree(installer.store, prepared.inventory.folder, prepared.name, prepared.tree.hash)
            made = record(prepared, folder, installed)
            with renamed_values(replacing or made.name, made.name, installer.places, installer.report):
                index.pop(replacing, None)
                index[made.name] = made
                write_index(installer.store, index)
    cache_tree(made.folder, made.tree, installer.places, installer.report)
    return Outcome(made, prepared.card, changed=True)


def _noted(prepared: Prepared, installed: Installed, installer: Installer) -> Installed:
    """Records the commit that has the same files, so that the next check has nothing to fetch."""
    fetched, tree = prepared.fetched, prepared.tree
    now = installed.replace(commit=fetched.commit, tag=fetched.tag, tree=tree.hash, hash_version=tree.version)
    if now != installed:
        with writing(installer.store, installer.report) as index:
            if index.get(installed.name) == installed:  # else another process has changed it
                index[installed.name] = now
                write_index(installer.store, index)
    return now


def has_same_files(prepared: Prepared, installed: Installed) -> bool:
    """Whether exactly these files were agreed to. Of run bits that a hash does not cover, the store's files tell."""
    tree = prepared.tree
    if installed.linked or not tree.is_recorded(installed.tree, installed.hash_version):
        return False
    return installed.hash_version == tree.version or _hash_at(installed.folder) == tree.hash


def is_moved(prepared: Prepared, installed: Installed) -> bool:
    """Whether an update comes under another name or from another place."""
    return prepared.name != installed.name or place_of(prepared.fetched.source.as_json()) != place_of(installed.source)


def place_of(source: Mapping[str, object]) -> tuple[object, ...]:
    """What makes two recorded sources the same place, at whatever version."""
    return tuple(source.get(key, "") for key in ("location", "subdir", "entry"))


def moves(request: InstallRequest) -> tuple[list[CardLine], list[CardLine]]:
    """Name and place of the new package and of the one that it replaces, as far as they differ."""
    before, source = request.installed, request.source
    new, old = [], []
    if before and before.name != request.card.name:
        new.append(CardLine("name", request.card.name))
        old.append(CardLine("name", before.name))
    if before and source and place_of(source.as_json()) != place_of(before.source):
        new.append(CardLine("source", source.as_text()))
        old.append(CardLine("source", " ".join(str(part) for part in place_of(before.source) if part)))
    return new, old


def is_intact(installed: Installed) -> bool:
    """Whether the files in the store are those that were agreed to."""
    try:
        return tree_of(installed.folder).is_recorded(installed.tree, installed.hash_version)
    except OSError:
        return False


def _hash_at(folder: str) -> str:
    try:
        return tree_of(folder).hash
    except OSError:
        return ""


def prepare(source: PackageSource, staged: str, installer: Installer, wanted: str = "") -> Prepared:
    """Fetches, judges and reads a package, as the wanted format if it can; raises where it must not be installed."""
    installer.report(f"fetching {source.as_text()}")
    fetched = fetch(source, staged, installer.places, installer.report)
    refused = validate_tree(fetched.folder)
    if refused:
        raise PiscesError(refused[0])
    tree = tree_of(fetched.folder)  # before the card is read: a change in between is noticed at the end
    found = inventory_or_advice(fetched.folder, source, installer, wanted)
    name = safe_name(found)
    return Prepared(name, card_of(found, tree, source.as_text()), tree, found, fetched)


def inventory_or_advice(
    folder: str, source: PackageSource, installer: Installer, wanted: str = "", act: str = "install"
) -> Inventory:
    """As `inventory_at`. Where there is no package, those below are named, each with the command that takes it."""
    try:
        return inventory_at(folder, installer.places, source.as_text(), wanted)
    except PiscesError as error:
        if error.diagnostic.code != NOT_A_PACKAGE.code:
            raise
        below = export_of("pisces.packages", "below", "commands_below")
        commands: dict[str, str] = below(folder, source, installer.places, act)
        if not commands:
            raise
    for command in list(commands.values())[:_SHOWN]:
        installer.report(f"  {command}")
    names = ", ".join(f"`{name}`" for name in list(commands)[:_SHOWN])
    more = f" and {len(commands) - _SHOWN} more" if len(commands) > _SHOWN else ""
    message = f"{source.as_text()} is no package itself; below it there are {names}{more}"
    raise PiscesError(NOT_A_PACKAGE.at("", message, hint=f"choose one: {next(iter(commands.values()))}"))


def inventory_at(folder: str, places: Places, shown: str, wanted: str = "") -> Inventory:
    """The package in a folder, read by the wanted format, else by the first one that it can be installed as."""
    found = inspect(folder, places)
    if not found:
        raise PiscesError(NOT_A_PACKAGE.at("", f"{shown} has no manifest that is known", hint="try --subdir"))
    usable = [each for each in found if each.installs]
    if not usable:
        first = found[0].diagnostics[0]
        raise PiscesError(PACKAGE_UNUSABLE.at("", f"{shown}: {first.message}", hint=first.hint))
    return next((each for each in usable if each.format.id == wanted), usable[0])


def safe_name(found: Inventory) -> str:
    name = str(found.package.name) if found.package else ""
    if not _NAME.fullmatch(name):
        raise PiscesError(UNSAFE_NAME.at("", f"`{name}` cannot be used as a package's name"))
    return name


def refuse_clash(prepared: Prepared, installed: Installed | None, replacing: str, index: dict[str, Installed]) -> None:
    """A new package must not take another one's name, neither by install nor by an update that renames."""
    if replacing:
        others = [name for name in index if name != replacing and _alike(name, prepared.name)]
    else:
        same = installed is not None and has_same_files(prepared, installed)
        others = [name for name in index if _alike(name, prepared.name) and not (same and name == prepared.name)]
    if others:
        owner = index[others[0]].source.get("location", "elsewhere")
        raise PiscesError(ALREADY_INSTALLED.at("", f"`{others[0]}` is installed already, from {owner}"))


def _alike(name: str, other: str) -> bool:
    """Names become files, and some disks do not tell cases apart."""
    return name.casefold() == other.casefold()


def refuse_unless_agreed(request: InstallRequest, installer: Installer) -> None:
    card = request.card
    if not installer.judge(request).verdict.is_allowed:
        hint = f"read the card, then repeat with --accept {card.hash}"
        message = f"nobody has agreed to `{card.name}` yet"
        raise PiscesError(CONSENT_NEEDED.at("", message, hint=hint, about=card.name))


def record(prepared: Prepared, folder: str, before: Installed | None) -> Installed:
    return Installed(
        name=prepared.name,
        version=prepared.card.version,
        format=prepared.inventory.format.id,
        folder=folder,
        tree=prepared.tree.hash,
        source=prepared.fetched.source.as_json(),
        commit=prepared.fetched.commit,
        tag=prepared.fetched.tag,
        overrides=before.overrides if before else (),
        previous=before.replace(previous=None).as_json() if before else None,
        manifest=prepared.inventory.format.manifest,
        hash_version=prepared.tree.version,
    )


def link(folder: str, installer: Installer) -> Outcome:
    """A folder that stays where it is and is read afresh every time. Its consent is for the folder, not for a hash."""
    folder = os.path.abspath(folder)
    tree = tree_of(folder)  # before the card is read: a change in between is noticed at the end
    found = inventory_or_advice(folder, PackageSource(FOLDER, folder), installer, act="link")
    name = safe_name(found)
    card = card_of(found, tree, folder)
    refuse_unless_agreed(InstallRequest(card, tree, folder), installer)
    refuse_changed(folder, tree.hash, name)
    source = {"kind": "link", "location": folder}
    made = Installed(name, card.version, found.format.id, folder, "", source, linked=True)
    made = made.replace(manifest=found.format.manifest)
    with writing(installer.store, installer.report) as index:
        if name in index:
            owner = index[name].source.get("location", "elsewhere")
            raise PiscesError(ALREADY_INSTALLED.at("", f"`{name}` is installed already, from {owner}"))
        index[name] = made
        write_index(installer.store, index)
    return Outcome(made, card, changed=True)
