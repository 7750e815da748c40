"""A package's program is checked on the open file, and each reason against it is said so that one knows what to do."""

from __future__ import annotations

import os
import shutil
import stat
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pisces.commands.programs.program import argv_of, checked_program, is_unchanged
from pisces.diagnostics import Diagnostic, PiscesError
from pisces.discovery.containment import lies_in
from pisces.formats.program_header import program_header
from pisces.shapes.executable import Executable
from pisces.shapes.platform_names import ARCHES, PLATFORMS, Platform, arch_name, platform_name, this_platform

posix = pytest.mark.skipif(os.name == "nt", reason="run bits, links and descriptors are different there")
linux_x64 = pytest.mark.skipif(str(this_platform()) != "linux/x64", reason="for Linux on x64")
HELLO = '#include <stdio.h>\nint main(int n, char **v) { printf("%s\\n", n > 1 ? v[1] : "hello"); return 0; }\n'
FOREIGN = "/proc/sys/fs/binfmt_misc"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "kit" / "bin").mkdir(parents=True)
    return tmp_path / "kit"


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real program of this machine."""
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("native")
    (folder / "hello.c").write_text(HELLO)
    subprocess.run([compiler, "-o", folder / "hello", folder / "hello.c"], check=True, timeout=60)
    return folder / "hello"


def put(path: Path, content: str | bytes = "#!/bin/sh\necho hello\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)
    return path


def tool(package: Path, binary: str = "${extensionPath}/bin/tool") -> Executable:
    return Executable(binary, str(package))


def refused(executable: Executable, search: str | None = None) -> Diagnostic:
    with pytest.raises(PiscesError) as caught, checked_program(executable, search):
        pass
    assert caught.value.diagnostic.message[-1] != "."
    return caught.value.diagnostic


def elf(machine: int, *, wide: bool = True, order: str = "<", loader: str = "") -> bytes:
    """The beginning of a program for some machine, as a linker writes it."""
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    name = loader.encode() + b"\0"
    count = 1 if loader else 0
    if wide:
        head = struct.pack(f"{order}HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, count, 0, 0, 0)
        table = struct.pack(f"{order}IIQQQQQQ", 3, 4, 120, 0, 0, len(name), len(name), 1)
    else:
        head = struct.pack(f"{order}HHIIIIIHHHHHH", 2, machine, 1, 0, 52, 0, 0, 52, 32, count, 0, 0, 0)
        table = struct.pack(f"{order}IIIIIIII", 3, 84, 0, 0, len(name), len(name), 4, 1)
    return ident + head + (table + name if loader else b"") + bytes(64)


def mach_o(*machines: int) -> bytes:
    if len(machines) == 1:
        return b"\xcf\xfa\xed\xfe" + struct.pack("<II", machines[0], 0) + bytes(64)
    slices = b"".join(struct.pack(">IIIII", machine, 0, 4096, 100, 12) for machine in machines)
    return b"\xca\xfe\xba\xbe" + struct.pack(">I", len(machines)) + slices + bytes(64)


def pe(machine: int) -> bytes:
    return b"MZ" + bytes(58) + struct.pack("<I", 128) + bytes(64) + b"PE\0\0" + struct.pack("<H", machine) + bytes(64)


# what Node calls this machine


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_node_calls_this_platform_the_same() -> None:
    node = ["node", "-p", "process.platform + '/' + process.arch"]
    assert subprocess.run(node, capture_output=True, text=True, check=True).stdout.strip() == str(this_platform())


@pytest.mark.parametrize(
    ("system", "name"),
    [
        *(("linux", "linux"), ("darwin", "darwin"), ("win32", "win32"), ("cygwin", "cygwin"), ("aix", "aix")),
        *(("freebsd14", "freebsd"), ("openbsd7", "openbsd"), ("netbsd10", "netbsd"), ("sunos5", "sunos")),
        *(("linux2", "linux"), ("android", "android"), ("emscripten", "emscripten")),
    ],
)
def test_systems_have_nodes_names(system: str, name: str) -> None:
    assert platform_name(system) == name


@pytest.mark.parametrize(
    ("machine", "bits", "order", "name"),
    [
        *(("x86_64", 64, "little", "x64"), ("AMD64", 64, "little", "x64"), ("x86_64", 32, "little", "ia32")),
        *(("i686", 32, "little", "ia32"), ("i386", 32, "little", "ia32"), ("x86", 32, "little", "ia32")),
        *(("aarch64", 64, "little", "arm64"), ("arm64", 64, "little", "arm64"), ("ARM64", 64, "little", "arm64")),
        *(("aarch64", 32, "little", "arm"), ("armv7l", 32, "little", "arm"), ("armv8l", 32, "little", "arm")),
        *(("ppc64le", 64, "little", "ppc64"), ("ppc64", 64, "big", "ppc64"), ("s390x", 64, "big", "s390x")),
        *(("riscv64", 64, "little", "riscv64"), ("loongarch64", 64, "little", "loong64")),
        *(("mips", 32, "big", "mips"), ("mips", 32, "little", "mipsel"), ("i86pc", 64, "little", "x64")),
    ],
)
def test_processors_have_nodes_names(machine: str, bits: int, order: str, name: str) -> None:
    assert arch_name(machine, bits, order) == name
    assert name in ARCHES


def test_this_platform_is_one_that_node_knows() -> None:
    here = this_platform()
    assert here.platform in PLATFORMS
    assert here.arch in ARCHES


# a program that is fine


@posix
def test_a_script_is_held_open_with_what_is_known_of_it(package: Path) -> None:
    path = put(package / "bin" / "tool", "#!/usr/bin/env -S sh -e\necho hello\n")
    with checked_program(tool(package)) as program:
        status = os.fstat(program.opened)
        assert program.path == os.path.realpath(path)
        assert (program.kind, program.interpreter) == ("script", ("/usr/bin/env", "-S sh -e"))
        assert program.identity[:3] == (status.st_dev, status.st_ino, status.st_size)
        assert not os.get_inheritable(program.opened)
        assert os.read(program.opened, 2) == b"#!"
        opened = program.opened
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened)


def test_words_follow_the_program_just_as_they_are(package: Path) -> None:
    put(package / "bin" / "tool")
    with checked_program(tool(package)) as program:
        argv = argv_of(program, ["--help", "-rf", "two words", "$(id)", ""])
    assert argv[-6:] == (program.path, "--help", "-rf", "two words", "$(id)", "")


@posix
def test_a_native_program_is_known_by_its_first_bytes(package: Path, native: Path) -> None:
    shutil.copy(native, package / "bin" / "tool")
    with checked_program(tool(package)) as program:
        assert program.kind == ("mach-o" if sys.platform == "darwin" else "elf")
        assert subprocess.run(argv_of(program, ["hi"]), capture_output=True, check=True).stdout == b"hi\n"


def test_variables_are_filled_in_once_even_in_a_folder_that_is_named_like_one(tmp_path: Path) -> None:
    here = this_platform()
    package = tmp_path / "${arch}" / "${platform}"
    path = put(package / here.platform / here.arch / "tool")
    binary = "${extensionPath}${/}${platform}/${arch}/tool"
    with checked_program(Executable(binary, str(package))) as program:
        assert program.path == os.path.realpath(path)


def test_a_path_without_the_folder_begins_in_the_package(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(package / "bin" / "tool")
    put(package.parent / "elsewhere" / "bin" / "tool", "evil")
    monkeypatch.chdir(package.parent / "elsewhere")
    with checked_program(tool(package, "bin/tool")) as program:
        assert program.path == os.path.realpath(path)


@posix
def test_a_link_inside_of_the_package_is_followed(package: Path) -> None:
    path = put(package / "lib" / "real")
    (package / "bin" / "tool").symlink_to("../lib/real")
    with checked_program(tool(package)) as program:
        assert program.path == os.path.realpath(path)


@posix
def test_a_package_that_is_itself_a_link_works(package: Path) -> None:
    put(package / "bin" / "tool")
    (package.parent / "linked").symlink_to(package)
    with checked_program(tool(package.parent / "linked")) as program:
        assert program.path.startswith(os.path.realpath(package))


def test_the_check_takes_less_than_a_millisecond(package: Path) -> None:
    put(package / "bin" / "tool", "#!/usr/bin/env sh\n")
    executable = tool(package)

    def once() -> float:
        start = time.perf_counter()
        with checked_program(executable):
            return time.perf_counter() - start

    assert min(once() for _ in range(50)) < 0.001


# a program that is not


def test_a_missing_program_is_told_with_its_path(package: Path) -> None:
    told = refused(tool(package))
    assert told.code == "program-missing"
    assert str(package / "bin" / "tool") in told.message


def test_a_missing_program_is_told_with_the_platforms_that_there_are(package: Path) -> None:
    put(package / "bin" / "sunos" / "x64" / "tool")
    put(package / "bin" / "aix" / "ppc64" / "tool")
    told = refused(tool(package, "bin/${platform}/${arch}/tool"))
    assert told.message.startswith(f"there is no program for {this_platform()}")
    assert told.hint == "the package has it for aix/ppc64, sunos/x64"


def test_a_folder_is_no_program(package: Path) -> None:
    (package / "bin" / "tool").mkdir()
    assert refused(tool(package)).code == "program-not-a-file"


def test_a_pipe_is_no_program_and_nobody_waits_for_it(package: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no named pipes")
    os.mkfifo(package / "bin" / "tool", 0o755)
    assert refused(tool(package)).code == "program-not-a-file"


@pytest.mark.parametrize("binary", ["${extensionPath}/../outside", "../outside", "bin/../../outside", "OUTSIDE"])
def test_a_path_that_leads_out_of_the_package_is_refused(binary: str, package: Path) -> None:
    outside = put(package.parent / "outside")
    told = refused(tool(package, binary.replace("OUTSIDE", str(outside))))
    assert told.code == "program-outside"


def test_a_folder_with_a_longer_name_is_not_inside(package: Path) -> None:
    put(package.parent / "kit-evil" / "tool")
    assert refused(tool(package, "${extensionPath}-evil/tool")).code == "program-outside"


@posix
@pytest.mark.parametrize("level", ["file", "folder"])
def test_a_link_that_leads_out_of_the_package_is_refused(level: str, package: Path) -> None:
    outside = put(package.parent / "outside" / "tool")
    (package / "bin").rmdir()
    if level == "folder":
        (package / "bin").symlink_to(outside.parent)
    else:
        (package / "bin").mkdir()
        (package / "bin" / "tool").symlink_to(outside)
    told = refused(tool(package))
    assert told.code == "program-outside"
    assert str(outside) in told.message


@posix
def test_a_link_that_leads_in_circles_or_nowhere_is_refused(package: Path) -> None:
    (package / "bin" / "tool").symlink_to("tool")
    assert refused(tool(package)).code in ("program-unreadable", "program-missing")
    (package / "bin" / "tool").unlink()
    (package / "bin" / "tool").symlink_to("nowhere")
    assert refused(tool(package)).code == "program-missing"


@posix
def test_a_link_swapped_after_the_check_changes_nothing(package: Path, native: Path) -> None:
    good = shutil.copy(native, package / "bin" / "good")
    evil = put(package.parent / "evil", "#!/bin/sh\necho evil\n")
    link = package / "bin" / "tool"
    link.symlink_to(good)
    with checked_program(tool(package)) as program:
        link.unlink()
        link.symlink_to(evil)
        assert is_unchanged(program)
        assert subprocess.run(argv_of(program, []), capture_output=True, check=True).stdout == b"hello\n"


@posix
@pytest.mark.skipif(os.execve not in os.supports_fd, reason="programs cannot be run by descriptor here")
def test_a_program_replaced_after_the_check_is_not_what_the_descriptor_runs(package: Path, native: Path) -> None:
    path = Path(shutil.copy(native, package / "bin" / "tool"))
    with checked_program(tool(package)) as program:
        put(package / "evil", "#!/bin/sh\necho evil\n").replace(path)
        assert not is_unchanged(program)
        run = "import os, sys; os.execve(int(sys.argv[1]), ['tool', 'mine'], {})"
        command = [sys.executable, "-c", run, str(program.opened)]
        done = subprocess.run(command, pass_fds=[program.opened], capture_output=True, check=True)
        assert done.stdout == b"mine\n"


@posix
def test_while_links_are_swapped_all_the_time_only_what_is_inside_is_opened(package: Path) -> None:
    """A process flips the folder between a good and an evil one; every check ends with the good file or a refusal."""
    put(package / "good" / "tool", "#!/bin/sh\n# good\n")
    put(package.parent / "evil" / "tool", "#!/bin/sh\n# evil\n")
    (package / "bin").rmdir()
    (package / "bin").symlink_to(package / "good")
    flip = (
        "import os, sys, itertools\n"
        "print('ready', flush=True)\n"
        "for target in itertools.cycle(sys.argv[2:]):\n"
        "    os.symlink(target, sys.argv[1] + '.new'); os.replace(sys.argv[1] + '.new', sys.argv[1])\n"
    )
    targets = [str(package.parent / "evil"), str(package / "good")]
    command = [sys.executable, "-c", flip, str(package / "bin"), *targets]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as flipping:
        try:
            assert flipping.stdout
            flipping.stdout.readline()
            seen = {_outcome(tool(package)) for _ in range(2000)}
        finally:
            flipping.kill()
    assert seen <= {"good", "program-outside", "program-missing", "program-swapped"}
    assert "good" in seen


def _outcome(executable: Executable) -> str:
    try:
        with checked_program(executable) as program:
            return os.read(program.opened, 100).decode().split()[-1]
    except PiscesError as error:
        return error.diagnostic.code


@posix
def test_a_program_without_the_run_bit_is_told_how_to_get_it(package: Path) -> None:
    path = put(package / "bin" / "tool", mode=0o644)
    told = refused(tool(package))
    assert (told.code, told.hint) == ("program-not-executable", f"chmod +x '{os.path.realpath(path)}'")


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="the superuser may read everything")
def test_a_program_that_cannot_be_read_is_not_run(package: Path) -> None:
    put(package / "bin" / "tool", mode=0o111)
    assert refused(tool(package)).code == "program-unreadable"


@linux_x64
@pytest.mark.parametrize(
    ("content", "built"),
    [
        (elf(183), "Linux on arm64"),
        (elf(40, wide=False), "Linux on arm"),
        (elf(21, order=">"), "Linux on ppc64"),
        (elf(22, order=">"), "Linux on s390x"),
        (elf(243), "Linux on riscv64"),
        (elf(8, wide=False), "Linux on mipsel"),
        (mach_o(0x0100000C), "macOS on arm64"),
        (mach_o(0x01000007, 0x0100000C), "macOS on x64 and arm64"),
        (pe(0x8664), "Windows on x64"),
    ],
)
def test_a_program_for_another_machine_says_for_which(content: bytes, built: str, package: Path) -> None:
    if os.path.isdir(FOREIGN) and len(os.listdir(FOREIGN)) > 2:
        pytest.skip("this system was taught to run programs of others")
    put(package / "bin" / "tool", content)
    told = refused(tool(package))
    assert told.code == "program-architecture"
    assert told.message == f"the program is built for {built}, this is Linux on x64"
    assert told.hint == "ask the author for a build for linux/x64"


@linux_x64
@pytest.mark.parametrize(
    ("loader", "family"),
    [("/lib/ld-musl-nowhere.so.1", "musl"), ("/lib99/ld-linux-nowhere.so.2", "glibc"), ("/system/nowhere", "loader")],
)
def test_a_program_whose_loader_is_missing_says_so(loader: str, family: str, package: Path) -> None:
    put(package / "bin" / "tool", elf(62, loader=loader))
    told = refused(tool(package))
    assert told.code == "program-loader"
    assert family in told.message
    assert loader in told.message
    assert told.hint


@linux_x64
def test_the_loader_of_a_real_program_is_found(native: Path) -> None:
    with open(native, "rb") as file:
        header = program_header(file.read(4096))
    assert header.arches == ("x64",)
    assert os.path.exists(header.loader)


@posix
@pytest.mark.parametrize("content", ["echo hello\n", "", b"\0\1\2\3", "#!\n", "\ufeff#!/bin/sh\n"])
def test_a_file_that_nothing_can_run_says_why(content: str | bytes, package: Path) -> None:
    if os.path.isdir(FOREIGN) and len(os.listdir(FOREIGN)) > 2:
        pytest.skip("this system was taught to run programs of others")
    put(package / "bin" / "tool", content)
    told = refused(tool(package))
    assert told.code == "program-format"
    assert told.hint


@posix
def test_a_script_from_windows_is_told_about_its_line_ends(package: Path) -> None:
    put(package / "bin" / "tool", "#!/bin/sh\r\necho hello\r\n")
    told = refused(tool(package))
    assert told.code == "program-line-ends"
    subprocess.run(["sh", "-c", told.hint], check=True)
    with checked_program(tool(package)) as program:
        assert subprocess.run(argv_of(program, []), capture_output=True, check=True).stdout == b"hello\n"


@posix
@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("#!/nowhere/ruby", "`/nowhere/ruby`"),
        ("#!/usr/bin/env no-such-ruby", "`no-such-ruby`"),
        ("#!/usr/bin/env -S LANG=C no-such-ruby --fast", "`no-such-ruby`"),
        ("#!/usr/bin/env -Sno-such-ruby -x", "`no-such-ruby`"),
        ("#!bin/ruby", "`bin/ruby`"),
    ],
)
def test_a_script_without_its_interpreter_says_which(line: str, named: str, package: Path) -> None:
    put(package / "bin" / "tool", f"{line}\n")
    told = refused(tool(package))
    assert told.code == "program-interpreter"
    assert named in told.message
    assert told.hint


@posix
def test_the_interpreter_is_looked_for_on_the_given_path(package: Path) -> None:
    put(package / "bin" / "tool", "#!/usr/bin/env my-own-ruby\n")
    put(package.parent / "opt" / "my-own-ruby")
    with checked_program(tool(package), f"/nowhere{os.pathsep}{package.parent / 'opt'}") as program:
        assert program.kind == "script"
    assert refused(tool(package), "/nowhere").code == "program-interpreter"


def test_a_program_on_a_disk_from_which_nothing_runs_says_so(package: Path) -> None:
    disk = package / "bin"
    mount = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o noexec none "$1" && shift && "$@"', "sh", str(disk)]
    if not shutil.which("unshare") or subprocess.run([*mount, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    program = """
import os, sys
from pisces.commands.programs.program import checked_program
from pisces.diagnostics import PiscesError
from pisces.shapes.executable import Executable
path = sys.argv[1] + "/bin/tool"
with open(path, "w") as file:
    file.write("#!/bin/sh\\n")
os.chmod(path, 0o755)
try:
    with checked_program(Executable("bin/tool", sys.argv[1])):
        print("fine")
except PiscesError as error:
    print(error.diagnostic.code)
"""
    told = subprocess.run(
        [*mount, sys.executable, "-c", program, str(package)], capture_output=True, text=True, check=True
    )
    assert told.stdout == "program-noexec\n"


def test_a_name_that_no_file_can_have_is_refused(package: Path) -> None:
    for binary in ("bin/to\0ol", "bin/\ud800", "x" * 5000):
        assert refused(tool(package, binary)).code in ("program-unreadable", "program-missing")


@posix
def test_nothing_stays_open_after_a_refusal(package: Path) -> None:
    put(package / "bin" / "tool", "no program")
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        refused(tool(package))
    assert len(os.listdir("/dev/fd")) == before


@posix
def test_folders_are_compared_by_what_they_are_where_their_names_differ(tmp_path: Path) -> None:
    """As on a file system for which `Kit` and `kit` are the same: here a second name leads to the same folder."""
    put(tmp_path / "kit" / "tool")
    (tmp_path / "also").symlink_to(tmp_path / "kit")
    assert lies_in(str(tmp_path / "kit" / "tool"), str(tmp_path / "also"))
    assert not lies_in(str(tmp_path / "kit" / "tool"), str(tmp_path / "kit" / "other"))


def test_bytes_cut_anywhere_never_break_the_reading(native: Path) -> None:
    whole = native.read_bytes()[:4096]
    for content in (whole, elf(62, loader="/lib/x"), elf(3, wide=False, loader="/lib/x"), mach_o(7, 12), pe(0x14C)):
        for end in range(min(len(content), 400)):
            program_header(content[:end])
    assert program_header(b"\xca\xfe\xba\xbe\x00\x00\x00\x3d").kind == "unknown", "a Java class"
    assert program_header(elf(3, wide=False, loader="/lib/ld-linux.so.2")).loader == "/lib/ld-linux.so.2"


def test_the_run_bit_of_a_program_is_not_changed_by_looking(package: Path) -> None:
    path = put(package / "bin" / "tool", mode=0o755)
    with checked_program(tool(package)):
        pass
    assert stat.S_IMODE(path.stat().st_mode) == (0o755 if os.name != "nt" else stat.S_IMODE(path.stat().st_mode))


def test_platforms_are_shown_as_node_folders_are_named() -> None:
    assert str(Platform("darwin", "arm64")) == "darwin/arm64"
