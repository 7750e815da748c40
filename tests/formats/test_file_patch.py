"""What a patch does to which file, and a patch for one file."""

from __future__ import annotations

from pisces.formats.file_patch import ADD, DELETE, UPDATE, FilePatch, adding, files_of, replacing, single_patches


def test_each_file_of_a_patch_is_found() -> None:
    patch = "\n".join(
        [
            "*** Begin Patch",
            "*** Add File: a",
            "+one",
            "+",
            "*** Update File: b",
            "*** Move to: c",
            "@@ def f():",
            " kept",
            "-old",
            "+new",
            "*** Delete File: d",
            "*** End Patch",
            "",
        ]
    )

    assert files_of(patch) == [
        FilePatch(ADD, "a", "", "one\n\n"),
        FilePatch(UPDATE, "b", "kept\nold\n", "kept\nnew\n", "c"),
        FilePatch(DELETE, "d"),
    ]


def test_text_that_is_no_patch_has_no_files() -> None:
    assert files_of("") == files_of("hello\n+x") == []


def test_a_written_patch_is_read_again() -> None:
    assert files_of(adding("a", "x\ny\n")) == [FilePatch(ADD, "a", "", "x\ny\n")]
    assert files_of(adding("a", "")) == [FilePatch(ADD, "a")]
    assert files_of(replacing("a", [("x", "y"), ("z\n", "")])) == [FilePatch(UPDATE, "a", "x\nz\n", "y\n")]


def test_a_patch_of_several_files_is_one_for_each_and_for_each_new_name() -> None:
    both = "\n".join(
        [
            "*** Begin Patch",
            "*** Update File: a",
            "*** Move to: b",
            "@@",
            "-x",
            "+y",
            "*** Delete File: c",
            "*** End Patch",
        ]
    )

    files = [files_of(each) for each in single_patches(both)]

    assert files == [
        [FilePatch(UPDATE, "a", "x\n", "y\n", "b")],
        [FilePatch(DELETE, "c")],
        [FilePatch(ADD, "b", "", "y\n")],
    ]
    assert single_patches("no patch") == []
