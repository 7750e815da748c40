"""Secrets lie in a keyring or an encrypted file, never in plain sight, and end with their package."""

from __future__ import annotations

import multiprocessing
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import KeyringLocked

from pisces.diagnostics import PiscesError
from pisces.packages.settings.described import HIDDEN, WORKSPACE, describe
from pisces.packages.settings.secrets import put_secret, vaults_here
from pisces.packages.settings.settings import Setting
from pisces.packages.settings.values import Values, environment
from pisces.packages.settings.vaults.file import FileVault, open_vault as open_file
from pisces.packages.settings.vaults.keyring import SERVICE, KeyringVault, usable
from pisces.places import Places
from tests.packages.recorded import packages_with_values

if TYPE_CHECKING:
    from pisces.packages.settings.secrets import Vault

KEY = Setting("API key", "API_KEY", sensitive=True, required=True)
URL = Setting("Address", "API_URL")
BOTH = [KEY, URL]
SECRET = "hunter2-and-more"


class Memory(KeyringBackend):
    """A keyring that works, as long as the test does."""

    priority: float = 5

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # of the library
        self.stored: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.stored.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.stored[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.stored[service, username]


class Locked(Memory):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(f"no {service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"no {service} {username} {password}")


class PlaintextKeyring(Memory):
    """Named as the one that writes passwords into a file for everybody."""


class LastResort(Memory):
    priority = 0.5


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("home", "shop"):
        (tmp_path / name).mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path / "shop"), {"PISCES_SECRETS_STORE": "file"})


def only(*vaults: Vault) -> Callable[[Places], Sequence[Vault]]:
    return lambda _places: vaults


def everything_below(folder: str) -> bytes:
    return b"".join(file.read_bytes() for file in Path(folder).rglob("*") if file.is_file())


def test_a_secret_goes_to_the_keyring_under_the_packages_name(places: Places) -> None:
    memory = Memory()
    values = Values("review", places, vaults=only(KeyringVault(memory)))
    values.write(BOTH, {"API_KEY": SECRET, "API_URL": "https://x.test"})
    assert memory.stored == {(SERVICE, "review/API_KEY"): SECRET}
    assert environment(values.read(BOTH)) == {"API_KEY": SECRET, "API_URL": "https://x.test"}
    assert SECRET.encode() not in everything_below(places.home)


def test_a_workspaces_secret_is_kept_apart(places: Places) -> None:
    memory = Memory()
    values = Values("review", places, vaults=only(KeyringVault(memory)))
    values.write(BOTH, {"API_KEY": "for all"})
    values.write(BOTH, {"API_KEY": "for the shop"}, WORKSPACE)
    here = os.path.realpath(places.cwd)
    assert set(memory.stored) == {(SERVICE, "review/API_KEY"), (SERVICE, f"review/API_KEY@{here}")}
    assert environment(values.read(BOTH)) == {"API_KEY": "for the shop"}
    elsewhere = Values("review", places.replace(cwd=places.home), vaults=only(KeyringVault(memory)))
    assert environment(elsewhere.read(BOTH)) == {"API_KEY": "for all"}
    assert elsewhere.forget() == []
    assert memory.stored == {}


def test_backends_that_keep_nothing_or_plain_text_do_not_count() -> None:
    kinds: list[type[KeyringBackend]] = [fail.Keyring, null.Keyring, PlaintextKeyring, LastResort]
    for kind in kinds:
        assert list(usable(kind())) == []
    assert [type(each) for each in usable(Memory())] == [Memory]


def test_of_a_chain_the_first_good_backend_counts() -> None:
    class Chain(chainer.ChainerBackend):
        backends = (PlaintextKeyring(), LastResort(), Memory())

    kind: type[KeyringBackend] = Chain
    assert [type(each) for each in usable(kind())] == [Memory]


def test_without_a_keyring_a_secret_goes_to_an_encrypted_file(places: Places) -> None:
    Values("review", places).write(BOTH, {"API_KEY": SECRET})
    assert environment(Values("review", places).read(BOTH)) == {"API_KEY": SECRET}
    assert SECRET.encode() not in everything_below(places.home)


def test_a_keyring_that_refuses_leaves_it_to_the_file(places: Places) -> None:
    file = open_file(places)
    assert file
    assert put_secret([KeyringVault(Locked()), file], "review/API_KEY", SECRET) == "file"
    assert file.find("review/API_KEY") == SECRET


def test_a_keyring_that_is_locked_later_is_reported_and_nothing_raised(places: Places) -> None:
    Values("review", places, vaults=only(KeyringVault(Memory()))).write(BOTH, {"API_KEY": SECRET})
    found = Values("review", places, vaults=only(KeyringVault(Locked()))).read(BOTH)
    assert [each.code for each in found.diagnostics] == ["secret-unreachable"]
    assert [each.env_var for each in found.missing] == ["API_KEY"]


def test_a_secret_that_its_vault_has_lost_is_reported(places: Places) -> None:
    memory = Memory()
    values = Values("review", places, vaults=only(KeyringVault(memory)))
    values.write(BOTH, {"API_KEY": SECRET})
    memory.stored.clear()
    assert [each.code for each in values.read(BOTH).diagnostics] == ["secret-unreachable"]


def test_what_could_not_be_ended_stays_known(places: Places) -> None:
    memory = Memory()
    Values("review", places, vaults=only(KeyringVault(memory))).write(BOTH, {"API_KEY": SECRET})
    problems = Values("review", places, vaults=only(KeyringVault(Locked()))).forget()
    assert [each.code for each in problems] == ["secret-unreachable"]
    assert packages_with_values(places) == ["review"]
    assert Values("review", places, vaults=only(KeyringVault(memory))).forget() == []
    assert (memory.stored, packages_with_values(places)) == ({}, [])


def test_a_secret_in_a_vault_that_is_gone_is_not_taken_for_ended(places: Places) -> None:
    Values("review", places).write(BOTH, {"API_KEY": SECRET})
    for vaults in (only(), only(KeyringVault(Memory()))):
        values = Values("review", places, vaults=vaults)
        assert [each.code for each in values.forget()] == ["secret-unreachable"]
        with pytest.raises(PiscesError):
            values.write(BOTH, {"API_KEY": None})
    assert Values("review", places).forget() == []


def test_without_any_vault_a_secret_is_refused_and_nothing_stored(places: Places) -> None:
    with pytest.raises(PiscesError) as caught:
        Values("review", places, vaults=only()).write(BOTH, {"API_URL": "https://x.test", "API_KEY": SECRET})
    assert caught.value.diagnostic.code == "no-vault"
    assert "pisces-agent[secrets]" in caught.value.diagnostic.hint
    assert SECRET not in str(caught.value.diagnostic)
    assert b"x.test" not in everything_below(places.home)
    assert packages_with_values(places) == []


def test_secrets_are_hidden_wherever_values_are_shown(places: Places) -> None:
    Values("review", places).write(BOTH, {"API_KEY": SECRET})
    found = Values("review", places).read(BOTH)
    rows = describe(BOTH, found)
    assert rows[0].value == HIDDEN
    for shown in (repr(found), str(found.values), repr(rows), str([row.as_json() for row in rows])):
        assert SECRET not in shown


def test_a_setting_that_becomes_sensitive_leaves_the_plain_file(places: Places) -> None:
    values = Values("review", places)
    values.write([KEY.replace(sensitive=False), URL], {"API_KEY": SECRET, "API_URL": "https://x.test"})
    assert SECRET.encode() in everything_below(places.home)
    values.settle(BOTH)
    assert SECRET.encode() not in everything_below(places.home)
    assert environment(values.read(BOTH)) == {"API_KEY": SECRET, "API_URL": "https://x.test"}


def test_a_setting_that_is_no_longer_sensitive_keeps_its_value(places: Places) -> None:
    values = Values("review", places)
    values.write(BOTH, {"API_KEY": SECRET})
    plain = [KEY.replace(sensitive=False), URL]
    assert environment(values.read(plain)) == {"API_KEY": SECRET}
    assert describe(plain, values.read(plain))[0].value == HIDDEN, "an update cannot make a secret visible"
    values.write(plain, {"API_KEY": "now plain"})
    assert environment(values.read(plain)) == {"API_KEY": "now plain"}
    assert not list(Path(places.home).rglob("*.secret"))


def test_an_empty_answer_ends_a_secret(places: Places) -> None:
    values = Values("review", places)
    values.write(BOTH, {"API_KEY": SECRET})
    values.write(BOTH, {"API_KEY": None})
    assert environment(values.read(BOTH)) == {}
    assert not list(Path(places.home).rglob("*.secret"))
    assert packages_with_values(places) == []


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean little there")
def test_only_the_user_can_read_the_encrypted_files(places: Places) -> None:
    Values("review", places).write(BOTH, {"API_KEY": SECRET})
    folder = Path(places.agent_dir, "secrets")
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_passphrase_opens_what_it_closed_and_nothing_else_does(tmp_path: Path) -> None:
    folder = str(tmp_path / "secrets")
    FileVault(folder, "correct horse").put("review/API_KEY", SECRET)
    assert FileVault(folder, "correct horse").find("review/API_KEY") == SECRET
    for passphrase in ("battery staple", ""):
        with pytest.raises(PiscesError) as caught:
            FileVault(folder, passphrase).find("review/API_KEY")
        assert caught.value.diagnostic.code == "secret-unreachable"
    assert not (tmp_path / "secrets" / "key").exists()


def test_a_secret_cannot_be_passed_off_as_another(tmp_path: Path) -> None:
    vault = FileVault(str(tmp_path), "")
    vault.put("review/API_KEY", SECRET)
    vault.put("other/API_KEY", "theirs")
    mine, theirs = sorted(tmp_path.glob("*.secret"))
    data = mine.read_bytes()
    mine.write_bytes(theirs.read_bytes())
    theirs.write_bytes(data)
    for account in ("review/API_KEY", "other/API_KEY"):
        with pytest.raises(PiscesError):
            vault.find(account)


@pytest.mark.parametrize("damage", [b"", b"{}", b"[]", b"null", b'{"key": "file", "nonce": "AA", "sealed": "!"}'])
def test_a_damaged_secret_is_an_error_with_its_path(damage: bytes, tmp_path: Path) -> None:
    vault = FileVault(str(tmp_path), "")
    vault.put("review/API_KEY", SECRET)
    (file,) = tmp_path.glob("*.secret")
    file.write_bytes(damage)
    with pytest.raises(PiscesError) as caught:
        vault.find("review/API_KEY")
    assert caught.value.diagnostic.path == str(file)


def test_a_lost_key_is_said_and_not_replaced_by_reading(tmp_path: Path) -> None:
    vault = FileVault(str(tmp_path), "")
    vault.put("review/API_KEY", SECRET)
    (tmp_path / "key").unlink()
    with pytest.raises(PiscesError, match="missing"):
        vault.find("review/API_KEY")
    assert not (tmp_path / "key").exists()


def test_processes_that_store_their_first_secret_at_once_share_one_key(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_store, args=(str(tmp_path), f"p/{at}")) for at in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert [FileVault(str(tmp_path), "").find(f"p/{at}") for at in range(4)] == [f"p/{at}" for at in range(4)]
    assert not list(tmp_path.glob("*.new"))


def _store(folder: str, account: str) -> None:
    FileVault(folder, "").put(account, account)


def test_the_store_can_be_chosen(places: Places) -> None:
    assert [vault.id for vault in vaults_here(places)] == ["file"]
    with pytest.raises(PiscesError, match="`cloud` is not a place"):
        vaults_here(places.replace(env={"PISCES_SECRETS_STORE": "cloud"}))


def test_without_the_libraries_there_is_no_vault_and_no_crash(tmp_path: Path) -> None:
    program = """
import sys
sys.modules["keyring"] = sys.modules["cryptography"] = None
from pisces.packages.settings.secrets import vaults_here
from pisces.places import Places
print(vaults_here(Places(sys.argv[1], sys.argv[1])))
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_long_secrets_and_every_character_survive(tmp_path: Path) -> None:
    vault = FileVault(str(tmp_path), "")
    text = "ключ 🔑 \n" * 2000
    vault.put("review/PEM", text)
    assert vault.find("review/PEM") == text
