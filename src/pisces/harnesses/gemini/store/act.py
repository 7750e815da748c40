"""Install, link, roll back, uninstall, enable and disable in Gemini CLI's store, with the same consent as in ours.

Only what Gemini CLI can load goes there. Whatever it installed is managed as well: the first update makes it ours too.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress

from pisces.atomic import flush_tree, rename_atomically
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.harnesses.gemini import INSTALL_FILE
from pisces.harnesses.gemini.store.enablement import read_enablement, write_enablement
from pisces.harnesses.gemini.store.integrity import is_disowned, note_after_update
from pisces.harnesses.gemini.store.journal import PLACE, REMOVE, Journal, change, discard, staging, writing
from pisces.harnesses.gemini.store.layout import (
    BESIDE,
    ENV_FILE,
    GIT_FOLDER,
    GeminiStore,
    content_of,
    gemini_store,
    state_of,
)
from pisces.harnesses.gemini.store.metadata import (
    LINK,
    commit_in,
    metadata_of,
    write_commit,
    write_metadata,
    write_repository,
)
from pisces.harnesses.gemini.store.record import StoreRecord, write_record
from pisces.harnesses.gemini.store.stored import StoredExtension, has_manifest, stored_extensions
from pisces.packages.card import card_of
from pisces.packages.enable import EVERYWHERE, USER, folder_rule, rules_after
from pisces.packages.fetching.source import FOLDER, GIT, PackageSource
from pisces.packages.install import (
    ALREADY_INSTALLED,
    Installer,
    InstallRequest,
    Outcome,
    Prepared,
    inventory_or_advice,
    is_moved,
    prepare,
    refuse_unless_agreed,
    safe_name,
)
from pisces.packages.store.store import content_changed, refuse_changed, refuse_unfit
from pisces.packages.store.tree import VERSION_HERE, tree_of
from pisces.packages.uninstall import NO_OTHER_VERSION, owned_name
from pisces.shapes.installed import Installed

NOT_FOR_GEMINI = Rule("not-for-gemini", ERROR, "A package of another format cannot go to Gemini CLI's store")

_FORMAT = "gemini"


def install(source: PackageSource, shop: Installer, *, replacing: str = "") -> Outcome:
    """`replacing` is the name of the extension that is updated."""
    store = gemini_store(shop.places)
    with staging(store, shop.report) as staged:
        prepared = prepare(source, staged, shop, _FORMAT)
        _refuse_format(prepared.name, prepared.inventory.format.id)
        before = _place_for(prepared.name, replacing, shop)
        moved = bool(before and replacing and is_moved(prepared, before.package))
        if before and _is_same(before, prepared) and not moved:
            if replacing:
                _note_commit(prepared, before, shop)
            return Outcome(before.package, prepared.card, changed=False)
        _refuse_clash(before, replacing)
        installed = before.package if before and before.loads else None
        folder, source = prepared.inventory.folder, prepared.fetched.source
        refuse_unless_agreed(InstallRequest(prepared.card, prepared.tree, folder, installed, BESIDE, source), shop)
        with writing(store, shop.report):
            before = _place_for(prepared.name, replacing, shop)
            _refuse_clash(before, replacing)
            _place(prepared, before, store, replacing)
    after = stored_extensions(shop.places)[prepared.name]
    if replacing and replacing != after.name:
        shop.report(
            f"secrets that Gemini CLI keeps for `{replacing}` stay there: gemini extensions config {after.name}"
        )
    if is_disowned(store, after.name, after.metadata):
        shop.report(f"Gemini CLI signed another `{after.name}` and will not update this one; pisces will")
    return Outcome(after.package, prepared.card, changed=True)


def link(folder: str, shop: Installer) -> Outcome:
    """Writes where the extension is into a folder of its name. The extension itself is not copied."""
    folder = os.path.abspath(folder)
    tree = tree_of(folder)  # before the card is read: a change in between is noticed at the end
    found = inventory_or_advice(folder, PackageSource(FOLDER, folder), shop, _FORMAT, "link")
    name = safe_name(found)
    _refuse_format(name, found.format.id)
    card = card_of(found, tree, folder)
    _refuse_clash(_place_for(name, "", shop), "")
    refuse_unless_agreed(InstallRequest(card, tree, folder), shop)
    refuse_changed(folder, tree.hash, name)
    store = gemini_store(shop.places)
    with staging(store, shop.report) as staged, writing(store, shop.report):
        _refuse_clash(_place_for(name, "", shop), "")
        write_metadata(staged, {"source": folder, "type": LINK})
        incoming = _incoming(staged, name, store)
        rules = rules_after(read_enablement(store).get(name, ()), EVERYWHERE)
        change(store, Journal(PLACE, name, name, state_of(incoming), incoming, rules))
    return Outcome(stored_extensions(shop.places)[name].package, card, changed=True)


def uninstall(name: str, shop: Installer) -> Installed:
    """Removes an extension and its rules. The folder of a link is not removed."""
    store = gemini_store(shop.places)
    with writing(store, shop.report):
        gone = _owned(name, shop)
        read_enablement(store)  # a broken file raises before the first step
        state = ""
        with suppress(OSError):  # an unreadable folder can still be removed
            state = state_of(store.extension(gone.folder))
        change(store, Journal(REMOVE, gone.name, gone.folder, state))
    return gone.package


def rollback(name: str, shop: Installer) -> Installed:
    """Restores the version before the last update. The newer one stays available for another rollback."""
    store = gemini_store(shop.places)
    with writing(store, shop.report):
        now = _owned(name, shop)
        before = now.record.previous if now.record else None
        source = store.previous(now.name)
        if now.record is None or before is None or not os.path.isdir(source):
            raise PiscesError(NO_OTHER_VERSION.at("", f"`{now.name}` has no earlier version here"))
        former_name, folder = str(before.get("name") or now.name), str(before.get("folder") or now.folder)
        _keep_settings(store.extension(now.folder), source)
        left = now.record.replace(previous=None).as_json() | {"name": now.name, "folder": now.folder}
        journal = Journal(
            PLACE,
            former_name,
            folder,
            state_of(source),
            source,
            read_enablement(store).get(now.name),
            {**before, "previous": left},
            former=now.name if former_name != now.name else "",
            replaces=now.folder,
        )
        change(store, journal)
    return stored_extensions(shop.places)[former_name].package


def enable(name: str, scope: str, shop: Installer) -> Installed:
    return _set_rule(name, "", scope, shop)


def disable(name: str, scope: str, shop: Installer) -> Installed:
    return _set_rule(name, "!", scope, shop)


def _set_rule(name: str, mark: str, scope: str, shop: Installer) -> Installed:
    store = gemini_store(shop.places)
    rule = mark + (EVERYWHERE if scope == USER else folder_rule(shop.places.cwd))
    with writing(store, shop.report):
        owned = _owned(name, shop)
        rules = rules_after(read_enablement(store).get(owned.name, ()), rule)
        write_enablement(store, {owned.name: rules})
    return owned.package.replace(overrides=rules)


def _owned(name: str, shop: Installer) -> StoredExtension:
    found = stored_extensions(shop.places)
    return found[owned_name(name, {each: found[each].package for each in found})]


def _place_for(name: str, replacing: str, shop: Installer) -> StoredExtension | None:
    """The extension that is already in the place of this one, or that it replaces."""
    found = stored_extensions(shop.places)
    alike = [each for each in found.values() if name.casefold() in (each.name.casefold(), each.folder.casefold())]
    if not replacing:
        return found.get(name) or next(iter(alike), None)
    before = found[owned_name(replacing, {each: found[each].package for each in found})]
    for other in alike:
        if other.folder != before.folder:
            raise _clash(other)
    return before


def _refuse_clash(before: StoredExtension | None, replacing: str) -> None:
    """An empty folder, which an interrupted `gemini extensions install` leaves, is no clash."""
    if before and not replacing and (before.loads or before.package.linked or has_manifest(before.package.folder)):
        raise _clash(before)


def _clash(other: StoredExtension) -> PiscesError:
    owner = other.package.source.get("location") or "elsewhere"
    message = f"`{other.name}` is in Gemini CLI's store already, from {owner}"
    return PiscesError(ALREADY_INSTALLED.at("", message, about=other.name))


def _refuse_format(name: str, found: str) -> None:
    if found != _FORMAT:
        message = f"`{name}` is of the format `{found}`, which Gemini CLI does not load"
        raise PiscesError(NOT_FOR_GEMINI.at("", message, hint="leave out `--to gemini`", about=name))


def _content(prepared: Prepared) -> str:
    return content_of(prepared.inventory.folder).hash


def _is_same(before: StoredExtension, prepared: Prepared) -> bool:
    """Whether the very same files are installed already."""
    if not before.loads or before.package.linked:
        return False
    return content_of(before.package.folder).hash == _content(prepared)


def _place(prepared: Prepared, before: StoredExtension | None, store: GeminiStore, replacing: str) -> None:
    """Adds the store's own files to the staged folder, and moves it into place."""
    name, staged, fetched = prepared.name, prepared.inventory.folder, prepared.fetched
    renamed = bool(before and replacing and before.name != name)
    folder = before.folder if before and not renamed else name
    metadata = metadata_of(fetched)
    if before and replacing:
        metadata = note_after_update(store, name, before.metadata, metadata)
    refuse_unfit(staged, prepared.tree.hash, name)
    content = _content(prepared)
    write_metadata(staged, metadata)
    if metadata["type"] == GIT and fetched.commit:
        write_repository(staged, fetched.source.location, fetched.commit)
    own = BESIDE if before and replacing else (INSTALL_FILE, GIT_FOLDER)
    if before and replacing:
        _keep_settings(store.extension(before.folder), staged)
    record = StoreRecord(
        version=prepared.card.version,
        agreed=prepared.tree.hash,
        content=content,
        hash_version=prepared.tree.version,
        source=fetched.source.as_json(),
        metadata=metadata,
        commit=fetched.commit,
        tag=fetched.tag,
        previous=_previous(before) if before and replacing else None,
    )
    known = read_enablement(store)
    rules = known.get(before.name) if before and replacing else rules_after(known.get(name, ()), EVERYWHERE)
    incoming = _incoming(staged, folder, store)
    state = state_of(incoming)
    if tree_of(incoming, left_out=own).hash != prepared.tree.without(own).hash:
        raise PiscesError(content_changed(incoming, name))
    journal = Journal(PLACE, name, folder, state, incoming, rules, record.as_json())
    if before and replacing:
        journal = journal.replace(replaces=before.folder, former=before.name if renamed else "")
    change(store, journal)


def _note_commit(prepared: Prepared, before: StoredExtension, shop: Installer) -> None:
    """Records the commit that has the same files, and in the `.git` that we wrote, so that both programs settle."""
    fetched, record = prepared.fetched, before.record
    if record is None or (fetched.commit, fetched.tag) == (record.commit, record.tag):
        return
    store = gemini_store(shop.places)
    folder = store.extension(before.folder)
    with writing(store, shop.report):
        if commit_in(folder) not in ("", record.commit):
            return  # another program has updated it meanwhile
        write_record(store, before.name, record.replace(commit=fetched.commit, tag=fetched.tag).as_json())
        if commit_in(folder) and fetched.commit:
            write_commit(folder, fetched.commit)


def _previous(before: StoredExtension) -> dict[str, object]:
    """The record of the version that is replaced, also if Gemini CLI installed it."""
    package = before.package
    record = before.record or StoreRecord(
        version=package.version,
        agreed="",
        content=content_of(package.folder).hash,
        hash_version=VERSION_HERE,
        source=package.source,
        metadata=before.metadata,
        commit=package.commit,
        tag=package.tag,
    )
    return record.replace(previous=None).as_json() | {"name": before.name, "folder": before.folder}


def _keep_settings(old: str, new: str) -> None:
    """Copies the user's plain settings, which are in the extension's folder."""
    path, target = os.path.join(old, ENV_FILE), os.path.join(new, ENV_FILE)
    if os.path.isdir(path) or not os.path.lexists(path):
        return
    discard(target)
    shutil.copy2(path, target, follow_symlinks=False)


def _incoming(staged: str, folder: str, store: GeminiStore) -> str:
    """Moves the folder out of the stage, which is removed when this process ends."""
    incoming = store.incoming(folder)
    os.makedirs(os.path.dirname(incoming), exist_ok=True)
    flush_tree(staged)
    rename_atomically(staged, incoming)
    return incoming
