"""Archives and folders: good ones arrive, hostile ones are refused whole, and nothing is written outside the stage."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import os
import stat
import struct
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pisces.diagnostics import PiscesError
from pisces.packages.fetching import Fetched, fetch, newest, pinned
from pisces.packages.fetching.source import PackageSource
from pisces.packages.store.validate_tree import TreeEntry, validate_entries, validate_tree
from pisces.places import Places
from tests.packages.servers import Answer, Asked, Server, serving

MANIFEST = b'{"name": "kit", "version": "1.0.0"}'
GOOD = {"gemini-extension.json": MANIFEST, "commands/x.toml": b'prompt = "x"'}

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(str(tmp_path), str(tmp_path))


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    (tmp_path / "stage").mkdir()
    return tmp_path / "stage"


def fetched(source: PackageSource, stage: Path, places: Places) -> Fetched:
    return fetch(source, str(stage), places, lambda _line: None)


def files(folder: str) -> dict[str, bytes]:
    top = Path(folder)
    return {file.relative_to(top).as_posix(): file.read_bytes() for file in top.rglob("*") if file.is_file()}


def zipped(members: Mapping[str | zipfile.ZipInfo, bytes] | Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tarred(*members: tarfile.TarInfo | tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for member in members:
            header, content = (
                (member, b"") if isinstance(member, tarfile.TarInfo) else (tarfile.TarInfo(member[0]), member[1])
            )
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
    return packed.getvalue()


def special(name: str, kind: bytes, target: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.type, header.linkname, header.mode = kind, target, mode
    return header


def zip_entry(name: str, mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, mode << 16
    return entry


def refusal_of(content: bytes, stage: Path, places: Places) -> str:
    """The code of the refusal, after proof that nothing was written."""
    archive = Path(places.cwd) / "kit.archive"
    archive.write_bytes(content)
    before = sorted(os.walk(places.cwd))
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("archive", str(archive)), stage, places)
    assert sorted(os.walk(places.cwd)) == before, "something was left behind"
    return refusal.value.diagnostic.code


PACKERS: dict[str, Callable[[], bytes]] = {
    "zip": lambda: zipped(GOOD),
    "tar": lambda: tarred(*GOOD.items()),
    "tar.gz": lambda: gzip.compress(tarred(*GOOD.items())),
    "tar.xz": lambda: lzma.compress(tarred(*GOOD.items())),
}


@pytest.mark.parametrize("sort", PACKERS)
def test_every_sort_of_archive_arrives(sort: str, tmp_path: Path, stage: Path, places: Places) -> None:
    archive = tmp_path / f"kit.{sort}"
    archive.write_bytes(PACKERS[sort]())
    found = fetched(PackageSource("archive", str(archive)), stage, places)
    assert files(found.folder) == GOOD
    assert found.commit == f"sha256:{hashlib.sha256(archive.read_bytes()).hexdigest()}"
    assert os.listdir(stage) == ["package"]


def test_the_bytes_say_what_an_archive_is(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "kit.zip").write_bytes(PACKERS["tar.gz"]())
    assert files(fetched(PackageSource("archive", str(tmp_path / "kit.zip")), stage, places).folder) == GOOD


def test_a_package_in_the_only_folder_is_taken_from_there(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "kit.zip").write_bytes(zipped({f"kit-1.0/{name}": content for name, content in GOOD.items()}))
    assert files(fetched(PackageSource("archive", str(tmp_path / "kit.zip")), stage, places).folder) == GOOD


def test_a_skill_in_the_only_folder_is_the_package(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "kit.zip").write_bytes(zipped({"kit-1.0/SKILL.md": b"---\nname: kit\n---\n"}))
    found = fetched(PackageSource("archive", str(tmp_path / "kit.zip")), stage, places)
    assert list(files(found.folder)) == ["SKILL.md"]


def test_a_folder_without_a_package_stays_where_it_is(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "kit.zip").write_bytes(zipped({"skills/a/SKILL.md": b"---\nname: a\n---\n"}))
    found = fetched(PackageSource("archive", str(tmp_path / "kit.zip")), stage, places)
    assert list(files(found.folder)) == ["skills/a/SKILL.md"]


@pytest.mark.parametrize("subdir", ["kit/a", "a"])
def test_a_folder_of_an_archive(subdir: str, tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "kit.zip").write_bytes(zipped({"kit/a/SKILL.md": b"a", "kit/b/SKILL.md": b"b"}))
    found = fetched(PackageSource("archive", str(tmp_path / "kit.zip"), subdir=subdir), stage, places)
    assert files(found.folder) == {"SKILL.md": b"a"}


def test_names_as_tar_writes_them(tmp_path: Path, stage: Path, places: Places) -> None:
    root = special("./", tarfile.DIRTYPE, mode=0o755)
    (tmp_path / "kit.tar").write_bytes(tarred(root, ("./gemini-extension.json", MANIFEST)))
    found = fetched(PackageSource("archive", str(tmp_path / "kit.tar")), stage, places)
    assert files(found.folder) == {"gemini-extension.json": MANIFEST}


def test_names_as_other_programs_zip_them(tmp_path: Path, stage: Path, places: Places) -> None:
    beside = {"./": b"", "./kit/": b"", "./kit/gemini-extension.json": MANIFEST, "__MACOSX/kit/._x": b"junk"}
    (tmp_path / "kit.zip").write_bytes(zipped(beside))
    found = fetched(PackageSource("archive", str(tmp_path / "kit.zip")), stage, places)
    assert files(found.folder) == {"gemini-extension.json": MANIFEST}


@posix
def test_a_folder_of_an_archive_may_be_a_link(tmp_path: Path, stage: Path, places: Places) -> None:
    link = special("current", tarfile.SYMTYPE, "v2")
    (tmp_path / "kit.tar").write_bytes(tarred(("v1/SKILL.md", b"1"), ("v2/SKILL.md", b"2"), link))
    found = fetched(PackageSource("archive", str(tmp_path / "kit.tar"), subdir="current"), stage, places)
    assert files(found.folder) == {"SKILL.md": b"2"}
    assert not os.path.islink(found.folder)


@posix
def test_the_run_bit_is_the_only_mode_that_is_taken_over(tmp_path: Path, stage: Path, places: Places) -> None:
    program = tarfile.TarInfo("run.sh")
    program.mode = 0o777
    (tmp_path / "kit.tar").write_bytes(tarred(program, ("plain", b"x")))
    folder = Path(fetched(PackageSource("archive", str(tmp_path / "kit.tar")), stage, places).folder)
    assert stat.S_IMODE((folder / "run.sh").stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "plain").stat().st_mode) == 0o644


@posix
def test_links_that_stay_inside_are_kept(tmp_path: Path, stage: Path, places: Places) -> None:
    link = special("docs/b.md", tarfile.SYMTYPE, "../a.md")
    (tmp_path / "kit.tar").write_bytes(tarred(("a.md", b"a"), link))
    found = fetched(PackageSource("archive", str(tmp_path / "kit.tar")), stage, places)
    assert os.readlink(Path(found.folder) / "docs" / "b.md") == "../a.md"


@posix
def test_links_in_zip_files_are_links(tmp_path: Path, stage: Path, places: Places) -> None:
    members: dict[str | zipfile.ZipInfo, bytes] = {"a.md": b"a", zip_entry("b.md", stat.S_IFLNK | 0o777): b"a.md"}
    (tmp_path / "kit.zip").write_bytes(zipped(members))
    found = fetched(PackageSource("archive", str(tmp_path / "kit.zip")), stage, places)
    assert os.readlink(Path(found.folder) / "b.md") == "a.md"


def test_version_control_is_no_part_of_a_package(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "kit.zip").write_bytes(zipped({**GOOD, ".git/config": b"[core]", "sub/.GIT/hooks/x": b"x"}))
    assert files(fetched(PackageSource("archive", str(tmp_path / "kit.zip")), stage, places).folder) == GOOD


HOSTILE_NAMES = {
    "../evil": "tree-name-escapes",
    "a/../../evil": "tree-name-escapes",
    "/etc/evil": "tree-name-escapes",
    "//host/evil": "tree-name-escapes",
    "C:/evil": "tree-name-escapes",
    "c:evil": "tree-name-escapes",
    "a\\..\\evil": "tree-name-escapes",
    "a//b": "tree-name-escapes",
    "con": "tree-name-unusable",
    "a/NUL.txt": "tree-name-unusable",
    "com1.md": "tree-name-unusable",
    "aux .md": "tree-name-unusable",
    "dot.": "tree-name-unusable",
    "blank ": "tree-name-unusable",
    "bell\x07": "tree-name-unusable",
    "x" * 256: "tree-name-unusable",
    "/".join("d" * 41): "tree-name-unusable",
    "/".join(["d" * 200] * 6): "tree-name-unusable",
}


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=lambda name: repr(name)[:30])
@pytest.mark.parametrize("sort", ["zip", "tar"])
def test_hostile_names_are_refused(name: str, sort: str, stage: Path, places: Places) -> None:
    content = zipped({**GOOD, name: b"x"}) if sort == "zip" else tarred(*GOOD.items(), (name, b"x"))
    assert refusal_of(content, stage, places) == HOSTILE_NAMES[name]


def test_a_zero_byte_in_a_zip_name_is_refused(stage: Path, places: Places) -> None:
    content = zipped({**GOOD, "safe.md_.sh": b"x"}).replace(b"safe.md_.sh", b"safe.md\0.sh")
    assert refusal_of(content, stage, places) == "tree-name-unusable"


def test_two_names_for_one_zip_entry_are_refused(stage: Path, places: Places) -> None:
    content = zipped({"good.md": b"x"})
    at = content.index(b"good.md")
    assert refusal_of(content[:at] + b"evil.md" + content[at + 7 :], stage, places) == "archive-broken"


@pytest.mark.parametrize("target", ["/etc/passwd", "../../x", "a/../../x", "C:/x", "..\\x", ""])
@pytest.mark.parametrize("sort", ["zip", "tar"])
def test_links_that_lead_out_are_refused(target: str, sort: str, stage: Path, places: Places) -> None:
    if sort == "zip":
        members: dict[str | zipfile.ZipInfo, bytes] = {zip_entry("link", stat.S_IFLNK | 0o777): target.encode()}
        content = zipped(members)
    else:
        content = tarred(special("link", tarfile.SYMTYPE, target))
    assert refusal_of(content, stage, places) == "tree-link-escapes"


@posix
def test_links_that_lead_out_by_way_of_links_are_refused(stage: Path, places: Places) -> None:
    up = special("sub/up", tarfile.SYMTYPE, "..")
    out = special("out", tarfile.SYMTYPE, "sub/up/..")
    assert refusal_of(tarred(*GOOD.items(), up, out), stage, places) == "tree-link-escapes"


@posix
def test_links_in_circles_are_refused(stage: Path, places: Places) -> None:
    circle = special("a", tarfile.SYMTYPE, "b"), special("b", tarfile.SYMTYPE, "a")
    assert refusal_of(tarred(*circle), stage, places) == "tree-link-escapes"


def test_files_through_links_are_refused(stage: Path, places: Places) -> None:
    link = special("dir", tarfile.SYMTYPE, ".")
    assert refusal_of(tarred(link, ("dir/x", b"x")), stage, places) == "tree-name-clash"


@pytest.mark.parametrize(
    "kind", [tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.GNUTYPE_SPARSE, b"Z"]
)
def test_what_is_no_file_is_refused(kind: bytes, stage: Path, places: Places) -> None:
    content = bytearray(tarred(*GOOD.items(), special("odd", tarfile.FIFOTYPE, "gemini-extension.json")))
    at = content.index(b"odd\0")
    content[at + 156 : at + 157] = kind
    content[at + 148 : at + 156] = b" " * 8
    content[at + 148 : at + 156] = f"{sum(content[at : at + 512]):06o}\0 ".encode()
    assert refusal_of(bytes(content), stage, places) == "tree-not-plain"


@pytest.mark.parametrize("mode", [stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFBLK])
def test_devices_in_zip_files_are_refused(mode: int, stage: Path, places: Places) -> None:
    members: dict[str | zipfile.ZipInfo, bytes] = {zip_entry("odd", mode | 0o644): b""}
    assert refusal_of(zipped(members), stage, places) == "tree-not-plain"


@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o6755])
def test_programs_with_the_rights_of_others_are_refused(mode: int, stage: Path, places: Places) -> None:
    assert refusal_of(tarred(special("su", tarfile.REGTYPE, mode=mode)), stage, places) == "tree-special-bits"
    members: dict[str | zipfile.ZipInfo, bytes] = {zip_entry("su", stat.S_IFREG | mode): b""}
    assert refusal_of(zipped(members), stage, places) == "tree-special-bits"


@pytest.mark.parametrize("mode", [0o4755, 0o6755])
def test_folders_with_the_setuid_bit_are_refused(mode: int, stage: Path, places: Places) -> None:
    assert refusal_of(tarred(special("su", tarfile.DIRTYPE, mode=mode)), stage, places) == "tree-special-bits"
    members: dict[str | zipfile.ZipInfo, bytes] = {zip_entry("su/", stat.S_IFDIR | mode): b""}
    assert refusal_of(zipped(members), stage, places) == "tree-special-bits"


@posix
def test_the_setgid_bit_of_a_folder_is_left_behind(tmp_path: Path, stage: Path, places: Places) -> None:
    """Teams share folders that way, and it runs nothing: accepted, but not taken over."""
    kit = tmp_path / "kit"
    (kit / "shared").mkdir(parents=True)
    (kit / "gemini-extension.json").write_bytes(MANIFEST)
    (kit / "shared").chmod(0o2755)
    if not (kit / "shared").stat().st_mode & stat.S_ISGID:
        pytest.skip("this file system keeps no such bit")
    folder = special("shared", tarfile.DIRTYPE, mode=0o2755)
    (tmp_path / "kit.tar").write_bytes(tarred(*GOOD.items(), folder))
    assert validate_tree(str(kit)) == []
    for source in (PackageSource("folder", str(kit)), PackageSource("archive", str(tmp_path / "kit.tar"))):
        inside = stage / source.kind
        inside.mkdir()
        taken = Path(fetched(source, inside, places).folder) / "shared"
        assert not stat.S_IMODE(taken.stat().st_mode) & (stat.S_ISUID | stat.S_ISGID)


@pytest.mark.parametrize(
    "names",
    [
        ("a.md", "A.md"),
        ("docs/a.md", "Docs/b.md"),
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("stra\u00dfe", "STRASSE"),
        ("a", "a/b"),
        ("a.md", "a.md"),
    ],
)
def test_names_that_clash_are_refused(names: tuple[str, str], stage: Path, places: Places) -> None:
    assert refusal_of(tarred(*((name, b"x") for name in names)), stage, places) == "tree-name-clash"


def test_a_hundred_thousand_entries_are_refused_quickly(stage: Path, places: Places) -> None:
    one = bytearray(tarred(("x00000", b""))[:512])
    headers = bytearray()
    for number in range(100_000):
        one[0:6] = f"x{number:05}".encode()
        one[148:156] = b" " * 8
        one[148:156] = f"{sum(one):06o}\0 ".encode()
        headers += one
    entry = b"PK\x01\x02" + struct.pack("<HHHHHHLLLHHHHHLL", 20, 20, 0, 0, 0, 33, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0)
    listing = b"".join(entry + f"x{number:05}".encode() for number in range(100_000))
    end = b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, 1, 1, len(listing), 0, 0)
    began = time.process_time()
    assert refusal_of(bytes(headers) + bytes(1024), stage, places) == "tree-too-large"
    assert refusal_of(listing + end, stage, places) in ("tree-too-large", "archive-broken")
    assert refusal_of(b"PK\x03\x04" + listing + end, stage, places) == "tree-too-large"
    assert time.process_time() - began < 10


@pytest.mark.parametrize("packed", ["zip", "gz", "xz"])
def test_bombs_are_refused(packed: str, stage: Path, places: Places) -> None:
    zeros = bytes(40 << 20)
    if packed == "zip":
        content = zipped({"bomb": zeros})
    else:
        content = (gzip.compress if packed == "gz" else lzma.compress)(tarred(("bomb", zeros)))
    assert refusal_of(content, stage, places) == "archive-bomb"


def test_sizes_that_lie_are_refused(stage: Path, places: Places) -> None:
    huge = tarfile.TarInfo("huge")
    huge.size = 1 << 40
    assert refusal_of(huge.tobuf(tarfile.GNU_FORMAT) + bytes(1024), stage, places) in (
        "tree-too-large",
        "archive-broken",
    )
    header = tarfile.TarInfo("header")
    header.type, header.size = tarfile.XHDTYPE, 1 << 33
    assert refusal_of(header.tobuf(tarfile.GNU_FORMAT) + bytes(1024), stage, places) == "archive-broken"


def test_a_zip_file_with_a_password_is_refused(stage: Path, places: Places) -> None:
    content = bytearray(zipped({"a.md": b"x"}))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert refusal_of(bytes(content), stage, places) == "tree-not-plain"


def test_a_zip_file_in_an_unusual_compression_is_refused(stage: Path, places: Places) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.md", b"x")
    assert refusal_of(packed.getvalue(), stage, places) == "tree-not-plain"


@posix
def test_a_disk_that_takes_nothing_is_our_error(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "kit").mkdir()
    (stage / "package").write_text("in the way")
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("folder", str(tmp_path / "kit")), stage, places)
    assert refusal.value.diagnostic.code == "fetch-stopped"


@pytest.mark.parametrize("sort", PACKERS)
def test_archives_that_were_cut_off_are_refused(sort: str, stage: Path, places: Places) -> None:
    whole = PACKERS[sort]()
    for size in (0, 1, 100, 1240, 2048) if sort == "tar" else (0, 1, 100, len(whole) // 2, len(whole) - 9):
        assert refusal_of(whole[:size], stage, places) == "archive-broken"


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(PACKERS)), st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), max_size=6))
def test_damaged_archives_raise_nothing_but_our_error(sort: str, damage: list[tuple[int, int]]) -> None:
    content = bytearray(PACKERS[sort]())
    for at, value in damage:
        content[at % len(content)] = value
    _harmless(bytes(content))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=2000), st.sampled_from([b"", b"PK\x03\x04", b"\x1f\x8b\x08", b"\xfd7zXZ\0"]))
def test_noise_raises_nothing_but_our_error(noise: bytes, start: bytes) -> None:
    _harmless(start + noise)


def _harmless(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top)
        (folder / "stage").mkdir()
        (folder / "kit.zip").write_bytes(content)
        try:
            fetched(PackageSource("archive", str(folder / "kit.zip")), folder / "stage", Places(top, top))
        except PiscesError:
            assert not list((folder / "stage").iterdir())
        assert sorted(os.listdir(folder)) == ["kit.zip", "stage"]


def test_an_archive_from_the_web(stage: Path, places: Places) -> None:
    with serving(lambda _asked, _server: Answer(200, zipped(GOOD), {"ETag": '"1"'})) as server:
        source = PackageSource("archive", f"{server.url}/kit.zip")
        found = fetched(source, stage, places)
        assert files(found.folder) == GOOD
        server.asked.clear()
        assert not newest(source, found.commit, found.tag, places).changed
        assert len(server.asked) == 1
        assert newest(source, found.commit, '"old"', places).changed
        assert not newest(pinned(found), found.commit, found.tag, places).changed


def test_an_archive_that_is_not_the_pinned_one_is_refused(stage: Path, places: Places) -> None:
    with serving(lambda _asked, _server: Answer(200, zipped(GOOD))) as server, pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("archive", f"{server.url}/kit.zip", f"sha256:{'0' * 64}"), stage, places)
    assert refusal.value.diagnostic.code == "archive-changed"
    assert not list(stage.iterdir())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda _server: Answer(404), "404"),
        (lambda _server: Answer(500), "500"),
        (lambda _server: Answer(200, b"PK", claimed=5000), "2 of 5,000 bytes"),
        (
            lambda _server: Answer(200, b"3\r\nabc\r\n", {"Transfer-Encoding": "chunked"}, claimed=-1),
            "in the middle|ended|0 bytes|Incomplete",
        ),
        (lambda server: Answer(200, b"P", {}, server.silence(), 5000), "nothing came for"),
        (lambda server: Answer(200, b"P", {}, server.drip(), 500_000), "not finished after"),
        (lambda _server: Answer(302, b"", {"Location": "/again"}), "more than 10 redirects"),
        (lambda _server: Answer(302, b"", {"Location": "file:///etc/passwd"}), "redirected to"),
        (lambda _server: Answer(302, b"", {"Location": "ftp://host.example/x"}), "redirected to"),
        (lambda _server: Answer(302, b"", {"Location": "http://[x/"}), "redirected to"),
    ],
    ids=["404", "500", "cut-off", "chunk-cut-off", "silent", "slow", "circle", "to-a-file", "to-ftp", "to-nowhere"],
)
def test_downloads_that_fail_say_why(
    answer: Callable[[Server], Answer], words: str, stage: Path, places: Places
) -> None:
    slow = words in ("nothing came for", "not finished after")
    hurried = places.replace(env={"PISCES_HTTP_TIMEOUT": "0.4", "PISCES_FETCH_TIMEOUT": "0.8"} if slow else {})
    with (
        serving(lambda _asked, server: answer(server)) as server,
        pytest.raises(PiscesError, match=words) as refusal,
    ):
        fetched(PackageSource("archive", f"{server.url}/kit.zip"), stage, hurried)
    assert refusal.value.diagnostic.code in ("download-failed", "redirect-refused")
    assert not list(stage.iterdir())


def test_a_host_that_cannot_be_reached(stage: Path, places: Places) -> None:
    with serving(lambda _asked, _server: Answer()) as server:
        gone = server.url
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("archive", f"{gone}/kit.zip"), stage, places)
    assert refusal.value.diagnostic.code == "download-failed"


def test_proxies_come_from_the_environment(stage: Path, places: Places) -> None:
    with serving(lambda _asked, _server: Answer(200, zipped(GOOD))) as proxy:
        behind = places.replace(env={"http_proxy": proxy.url})
        found = fetched(PackageSource("archive", "http://files.example.invalid/kit.zip"), stage, behind)
        assert files(found.folder) == GOOD
        assert proxy.paths() == ["http://files.example.invalid/kit.zip"]


def test_hosts_without_proxy_are_asked_directly(stage: Path, places: Places) -> None:
    with serving(lambda _asked, _server: Answer(200, zipped(GOOD))) as server:
        direct = places.replace(env={"http_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"})
        assert files(fetched(PackageSource("archive", f"{server.url}/kit.zip"), stage, direct).folder) == GOOD


def test_a_folder_is_copied_without_its_history(tmp_path: Path, stage: Path, places: Places) -> None:
    kit = tmp_path / "kit"
    for name, content in {**GOOD, ".git/config": b"x"}.items():
        (kit / name).parent.mkdir(parents=True, exist_ok=True)
        (kit / name).write_bytes(content)
    found = fetched(PackageSource("folder", str(kit)), stage, places)
    assert files(found.folder) == GOOD
    (kit / "gemini-extension.json").write_bytes(b"changed")
    assert files(found.folder) == GOOD
    assert newest(found.source, "", "", places).changed


def _with_setuid(kit: Path) -> None:
    (kit / "su").write_bytes(b"")
    (kit / "su").chmod(0o4755)


@posix
def test_a_folder_on_the_disk_with_the_setuid_bit_is_refused(tmp_path: Path, stage: Path, places: Places) -> None:
    kit = tmp_path / "kit"
    (kit / "su").mkdir(parents=True)
    (kit / "su").chmod(0o4755)
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("folder", str(kit)), stage, places)
    assert refusal.value.diagnostic.code == "tree-special-bits"
    assert not list(stage.iterdir())
    (found,) = validate_tree(str(kit))
    assert (found.code, found.message) == ("tree-special-bits", "`su` has the mode 4755")


def test_folders_are_judged_like_archives(tmp_path: Path, stage: Path, places: Places) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no such files")
    cases: dict[str, Callable[[Path], object]] = {
        "tree-link-escapes": lambda kit: (kit / "link").symlink_to("../secret"),
        "tree-not-plain": lambda kit: os.mkfifo(kit / "pipe"),
        "tree-name-clash": lambda kit: [(kit / name).write_bytes(b"") for name in ("a", "A")],
        "tree-name-unusable": lambda kit: (kit / "nul").write_bytes(b""),
        "tree-special-bits": _with_setuid,
    }
    (tmp_path / "secret").write_text("secret")
    for code, make in cases.items():
        kit = tmp_path / code
        kit.mkdir()
        make(kit)
        with pytest.raises(PiscesError) as refusal:
            fetched(PackageSource("folder", str(kit)), stage, places)
        assert refusal.value.diagnostic.code == code
        assert not list(stage.iterdir())
        assert validate_tree(str(kit))[0].code == code


@posix
def test_a_folder_below_a_link_is_not_entered(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "kit" / "sub").symlink_to(tmp_path / "secret")
    with pytest.raises(PiscesError):
        fetched(PackageSource("folder", str(tmp_path / "kit"), subdir="sub"), stage, places)


def test_a_folder_that_is_gone(tmp_path: Path, stage: Path, places: Places) -> None:
    with pytest.raises(PiscesError, match="no such folder"):
        fetched(PackageSource("folder", str(tmp_path / "gone")), stage, places)
    with pytest.raises(PiscesError, match="gone"):
        newest(PackageSource("folder", str(tmp_path / "gone")), "", "", places)


def test_a_listing_is_not_read_beyond_its_limit() -> None:
    read: list[int] = []

    def endless() -> Iterator[TreeEntry]:
        number = 0
        while True:
            read.append(number := number + 1)
            yield TreeEntry(f"f{number}")

    assert validate_entries(endless(), "x")[0].code == "tree-too-large"
    assert len(read) == 20_001


def test_redirects_are_followed(stage: Path, places: Places) -> None:
    def answer(asked: Asked, _server: Server) -> Answer:
        return Answer(200, zipped(GOOD)) if asked.path == "/real.zip" else Answer(302, b"", {"Location": "/real.zip"})

    with serving(answer) as server:
        assert files(fetched(PackageSource("archive", f"{server.url}/kit.zip"), stage, places).folder) == GOOD
