"""What users type becomes a source, or an error that says what to type instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pisces.diagnostics import PiscesError
from pisces.packages.fetching.source import PackageSource, name_of, parse_source, source_from_json
from pisces.places import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "home").mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("owner/repo", PackageSource("github-release", "https://github.com/owner/repo")),
        ("owner/repo.git", PackageSource("github-release", "https://github.com/owner/repo")),
        ("github:owner/repo", PackageSource("github-release", "https://github.com/owner/repo")),
        ("owner/repo/plugins/a", PackageSource("git", "https://github.com/owner/repo", subdir="plugins/a")),
        ("https://github.com/owner/repo", PackageSource("github-release", "https://github.com/owner/repo")),
        ("https://github.com/owner/repo.git", PackageSource("github-release", "https://github.com/owner/repo")),
        (
            "https://github.com/owner/repo/tree/v1/a/b",
            PackageSource("git", "https://github.com/owner/repo", "v1", "a/b"),
        ),
        ("https://github.com/owner/repo/tree/main", PackageSource("git", "https://github.com/owner/repo", "main")),
        ("https://github.com/o/r/releases/tag/v2", PackageSource("github-release", "https://github.com/o/r", "v2")),
        ("https://github.com/o/r/releases/latest", PackageSource("github-release", "https://github.com/o/r")),
        ("https://github.com/o/r/archive/v1.zip", PackageSource("archive", "https://github.com/o/r/archive/v1.zip")),
        ("git+https://github.com/owner/repo", PackageSource("git", "https://github.com/owner/repo")),
        ("gitlab:group/sub/repo", PackageSource("git", "https://gitlab.com/group/sub/repo.git")),
        ("https://gitlab.com/g/r/-/tree/main/a/b", PackageSource("git", "https://gitlab.com/g/r.git", "main", "a/b")),
        ("git@github.com:owner/repo.git", PackageSource("git", "git@github.com:owner/repo.git")),
        ("ssh://git@host.example/r.git", PackageSource("git", "ssh://git@host.example/r.git")),
        ("git://host.example/r.git", PackageSource("git", "git://host.example/r.git")),
        ("http://127.0.0.1:8000/r.git", PackageSource("git", "http://127.0.0.1:8000/r.git")),
        ("https://host.example/kit.tar.xz", PackageSource("archive", "https://host.example/kit.tar.xz")),
        ("https://host.example/kit.tgz?x=1", PackageSource("archive", "https://host.example/kit.tgz?x=1")),
        ("review@owner/repo", PackageSource("marketplace", "https://github.com/owner/repo", entry="review")),
        ("review@github:owner/repo", PackageSource("marketplace", "https://github.com/owner/repo", entry="review")),
        (
            "review@https://host.example/marketplace.json",
            PackageSource("marketplace", "https://host.example/marketplace.json", entry="review"),
        ),
        (
            "https://host.example/marketplace.json#review",
            PackageSource("marketplace", "https://host.example/marketplace.json", entry="review"),
        ),
        ("review@git@host.example:m.git", PackageSource("marketplace", "git@host.example:m.git", entry="review")),
    ],
)
def test_addresses_are_understood(text: str, expected: PackageSource, places: Places) -> None:
    assert parse_source(text, places) == expected


def test_a_hash_pins_an_archive(places: Places) -> None:
    pin = "ab" * 32
    found = parse_source(f"https://host.example/kit.zip#sha256={pin}", places)
    assert found == PackageSource("archive", "https://host.example/kit.zip", f"sha256:{pin}")


def test_what_exists_on_the_disk_comes_first(tmp_path: Path, places: Places) -> None:
    (tmp_path / "owner" / "repo").mkdir(parents=True)
    assert parse_source("owner/repo", places) == PackageSource("folder", str(tmp_path / "owner" / "repo"))


@pytest.mark.parametrize("text", ["./kit", "kit", "file://{cwd}/kit", "{cwd}/kit", "{cwd}/x/../kit"])
def test_folders_become_absolute(text: str, tmp_path: Path, places: Places) -> None:
    (tmp_path / "kit").mkdir()
    assert parse_source(text.format(cwd=tmp_path), places) == PackageSource("folder", str(tmp_path / "kit"))


def test_home_is_understood(places: Places) -> None:
    (Path(places.home) / "kit").mkdir()
    assert parse_source("~/kit", places).location == str(Path(places.home) / "kit")


@pytest.mark.parametrize("name", ["kit.zip", "kit.tar.gz", "kit.tgz", "kit.tar.xz", "kit.tar"])
def test_archive_files_are_archives(name: str, tmp_path: Path, places: Places) -> None:
    (tmp_path / name).write_bytes(b"")
    assert parse_source(name, places) == PackageSource("archive", str(tmp_path / name))


def test_a_folder_with_a_ref_is_its_repository(tmp_path: Path, places: Places) -> None:
    (tmp_path / "kit" / ".git").mkdir(parents=True)
    found = parse_source("kit", places, ref="v1", subdir="./plugins//a/")
    assert found == PackageSource("git", f"file://{(tmp_path / 'kit').as_posix()}", "v1", "plugins/a")


def test_a_folder_without_git_has_no_refs(tmp_path: Path, places: Places) -> None:
    (tmp_path / "kit").mkdir()
    with pytest.raises(PiscesError, match="no git repository"):
        parse_source("kit", places, ref="v1")


def test_a_bare_repository_is_git(tmp_path: Path, places: Places) -> None:
    (tmp_path / "kit.git" / "objects").mkdir(parents=True)
    (tmp_path / "kit.git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert parse_source("kit.git", places).kind == "git"


def test_a_marketplace_on_the_disk_needs_the_name_of_a_plugin(tmp_path: Path, places: Places) -> None:
    (tmp_path / "marketplace.json").write_text("{}")
    found = parse_source("./marketplace.json#review", places)
    assert found == PackageSource("marketplace", str(tmp_path / "marketplace.json"), entry="review")
    assert parse_source("review@./marketplace.json", places) == found
    with pytest.raises(PiscesError) as refusal:
        parse_source("./marketplace.json", places)
    assert "#NAME" in refusal.value.diagnostic.hint


def test_the_given_ref_says_where_a_branch_with_slashes_ends(places: Places) -> None:
    url = "https://github.com/o/r/tree/feature/x/plugins/a"
    assert parse_source(url, places, ref="feature/x") == PackageSource(
        "git", "https://github.com/o/r", "feature/x", "plugins/a"
    )


def test_a_release_with_a_folder_is_taken_from_git(places: Places) -> None:
    assert parse_source("o/r", places, subdir="a", ref="v1") == PackageSource(
        "git", "https://github.com/o/r", "v1", "a"
    )


def test_the_github_server_is_taken_from_the_environment(places: Places) -> None:
    there = places.replace(env={"GITHUB_SERVER_URL": "https://github.corp.example/"})
    assert parse_source("o/r", there).location == "https://github.corp.example/o/r"
    assert parse_source("https://github.corp.example/o/r/tree/main/a", there).subdir == "a"
    assert parse_source("https://github.com/o/r", there).kind == "github-release"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "OWNER/REPO"),
        ("word", "OWNER/REPO"),
        ("two words", "OWNER/REPO"),
        ("owner/repo@v1", "--ref"),
        ("owner/repo#v1", "--ref"),
        ("./missing", ""),
        ("/missing/x.zip", ""),
        ("git+./missing", ""),
        ("ftp://host.example/x", "OWNER/REPO"),
        ("https://github.com/o/r/blob/main/README.md", "OWNER/REPO"),
        ("ext::sh -c touch% pwned", "OWNER/REPO"),
        ("review@nowhere", "OWNER/REPO"),
    ],
)
def test_what_is_no_source_says_so(text: str, hint: str, places: Places) -> None:
    with pytest.raises(PiscesError) as refusal:
        parse_source(text, places)
    assert refusal.value.diagnostic.code == "source-unknown"
    assert hint in refusal.value.diagnostic.hint


PIECES = [
    "git+",
    "file://",
    "https://",
    "github.com/",
    "o/r",
    "@",
    "#",
    ":",
    "..",
    "/",
    "\\",
    "[",
    "%00",
    "\0",
    "-",
    "~",
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=6), st.text(max_size=5))
def test_any_text_is_a_source_or_our_error(pieces: list[str], extra: str) -> None:
    places = Places("/nowhere/home", "/nowhere/here")
    for option in ("", extra):
        try:
            found = parse_source("".join(pieces), places, ref=option, subdir=option)
        except PiscesError:
            continue
        assert source_from_json(found.as_json()) == found
        assert name_of(found)


@pytest.mark.parametrize(
    "ref", ["-x", "--upload-pack=x", "a..b", "a b", "a:b", "a\nb", "a^{}", "@{u}", "x.lock", "a\\b"]
)
def test_refs_that_git_could_misread_are_refused(ref: str, places: Places) -> None:
    with pytest.raises(PiscesError) as refusal:
        parse_source("o/r", places, ref=ref)
    assert refusal.value.diagnostic.code == "source-unsafe"


@pytest.mark.parametrize("subdir", ["..", "a/../../b", "/etc", "a\\b", "C:/x", "-x", "a/\0", ".git/hooks", "a/.GIT"])
def test_folders_outside_are_refused(subdir: str, places: Places) -> None:
    with pytest.raises(PiscesError) as refusal:
        parse_source("o/r", places, subdir=subdir)
    assert refusal.value.diagnostic.code == "source-unsafe"


def test_a_folder_said_twice_is_refused(places: Places) -> None:
    with pytest.raises(PiscesError, match="twice"):
        parse_source("o/r/a", places, subdir="b")


@pytest.mark.parametrize(
    "text",
    [
        "https://ghp_secret@github.com/o/r",
        "https://me:ghp_secret@host.example/r.git",
        "https://me:ghp_secret@host.example/kit.zip",
        "review@https://me:ghp_secret@host.example/r.git",
        "ftp://me:ghp_secret@host.example/r.git",
    ],
)
def test_passwords_in_addresses_are_refused_and_not_repeated(text: str, places: Places) -> None:
    with pytest.raises(PiscesError) as refusal:
        parse_source(text, places)
    assert "ghp_secret" not in str(refusal.value.diagnostic.as_json())


@pytest.mark.parametrize("text", ["-oProxyCommand=x@host:path", "ssh://-oProxyCommand=x/r.git", "git@-oX:path"])
def test_hosts_that_are_options_are_refused(text: str, places: Places) -> None:
    with pytest.raises(PiscesError):
        parse_source(text, places)


@pytest.mark.parametrize(
    "source",
    [
        PackageSource("git", "https://host.example/r.git", "v1", "a/b"),
        PackageSource("git", "https://github.com/o/r", "main"),
        PackageSource("github-release", "https://github.com/o/r", pre_release=True),
        PackageSource("marketplace", "https://github.com/o/r", "0" * 40 + ":" + "1" * 40, entry="review"),
        PackageSource("archive", "https://host.example/kit.zip", "sha256:" + "0" * 64),
    ],
)
def test_sources_survive_their_record(source: PackageSource) -> None:
    assert source_from_json(source.as_json()) == source


@pytest.mark.parametrize(
    ("text", "ref", "subdir"),
    [
        ("o/r", "", ""),
        ("git+https://github.com/o/r", "main", "a"),
        ("x@o/r", "", ""),
        ("https://h.example/r.git", "", ""),
    ],
)
def test_the_text_of_a_source_can_be_typed_again(text: str, ref: str, subdir: str, places: Places) -> None:
    source = parse_source(text, places, ref=ref, subdir=subdir)
    typed = source.as_text().split(" ")
    options = dict(zip(typed[1::2], typed[2::2], strict=True))
    again = parse_source(typed[0], places, ref=options.get("--ref", ""), subdir=options.get("--subdir", ""))
    assert again == source


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (PackageSource("git", "https://host.example/o/kit.git"), "kit"),
        (PackageSource("git", "git@host.example:kit.git"), "kit"),
        (PackageSource("git", "https://host.example/o/kit", subdir="plugins/review"), "review"),
        (PackageSource("archive", "https://host.example/kit-1.2.0.tar.gz?x=1"), "kit"),
        (PackageSource("archive", "https://github.com/o/kit/archive/v1.zip"), "kit"),
        (PackageSource("folder", "/home/me/my kit"), "my-kit"),
        (PackageSource("folder", "/"), "package"),
        (PackageSource("marketplace", "https://github.com/o/r", entry="review"), "review"),
    ],
)
def test_packages_without_a_name_are_called_like_their_source(source: PackageSource, name: str) -> None:
    assert name_of(source) == name


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"kind": "git"},
        {"kind": "ftp", "location": "x"},
        {"kind": "git", "location": 5},
        {"kind": "git", "location": "--upload-pack=touch x"},
        {"kind": "git", "location": "https://h.example/r", "ref": "--x"},
        {"kind": "git", "location": "https://h.example/r", "subdir": "../.."},
        {"kind": "git", "location": "https://me:pw@h.example/r"},
        {"kind": "folder", "location": "relative"},
        {"kind": "github-release", "location": "https://h.example/r"},
        {"kind": "git", "location": "https://[h.example/r"},
        {"kind": "git", "location": "https://h.example:port/r"},
        {"kind": "marketplace", "location": "/x", "entry": "../x"},
        {"kind": "archive", "location": "/x.zip", "ref": "main"},
        {"kind": "git", "location": "https://h.example/r", "pre_release": "yes"},
    ],
)
def test_records_that_were_changed_by_hand_are_judged(value: object) -> None:
    with pytest.raises(PiscesError):
        source_from_json(value)
