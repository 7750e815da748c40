"""What Codex 0.166.0 does with its switches, folder trust and reviewed hooks, as it was seen to do when it was run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pisces.discovery.capabilities import capability_named
from pisces.discovery.found import Candidate
from pisces.discovery.harness import Run
from pisces.discovery.standing import standing
from pisces.harnesses.codex import HARNESS
from pisces.places import Places
from tests.discovery.world import World, skill, worktree, written

SERVER = '[mcp_servers.{}]\ncommand = "{}"\n'
STOP = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
STOP_HASH = "sha256:2ba34c7a02841fada06b868a093d041fd3d9de81883c789a321916b0aa118851"  # what Codex itself computes


class Codex(World):
    def config(self, text: str = "", **trust: str) -> None:
        """The user's config.toml; a keyword is a folder below the parent of the repository, with its trust level."""
        folders = {name.replace("__", "/"): level for name, level in trust.items()}
        tables = [
            f'[projects."{self.repository.parent / name}"]\ntrust_level = "{folders[name]}"\n' for name in folders
        ]
        self.user(".codex/config.toml", text + "\n" + "".join(tables))

    def stands(self, kind: str) -> list[Candidate]:
        places = Places(str(self.home), str(self.cwd), self.env)
        return list(standing(HARNESS, capability_named(kind), places, Run()).candidates)

    def states(self, kind: str) -> dict[str, str]:
        return {getattr(each.found.item, "name", "") or each.found.item.event: each.state for each in self.stands(kind)}


@pytest.fixture
def codex(tmp_path: Path) -> Codex:
    return Codex(tmp_path, HARNESS)


def test_a_folder_that_nobody_trusts_has_skills_and_no_servers_or_hooks(codex: Codex) -> None:
    codex.project(".codex/config.toml", SERVER.format("a", "x"))
    codex.project(".codex/hooks.json", STOP)
    codex.project(".codex/skills/s/SKILL.md", skill("s"))
    assert codex.states("mcp-servers") == {"a": "untrusted"}
    assert codex.states("hooks") == {"Stop": "untrusted"}
    assert codex.states("skills") == {"s": "active"}


@pytest.mark.parametrize(
    ("trust", "expected"),
    [
        ({"shop": "trusted"}, {"root": "active", "app": "active"}),
        ({"shop": "untrusted"}, {"root": "untrusted", "app": "untrusted"}),
        ({"shop__app": "trusted"}, {"root": "untrusted", "app": "active"}),
        ({"shop": "trusted", "shop__app": "untrusted"}, {"root": "active", "app": "untrusted"}),
        ({".": "trusted"}, {"root": "untrusted", "app": "untrusted"}),
    ],
)
def test_a_folders_own_trust_comes_before_that_of_the_root(
    trust: dict[str, str], expected: dict[str, str], codex: Codex
) -> None:
    codex.config(**trust)
    codex.project(".codex/config.toml", SERVER.format("root", "x"))
    codex.project("app/.codex/config.toml", SERVER.format("app", "x"))
    codex.cwd = codex.repository / "app"
    assert codex.states("mcp-servers") == expected


def test_a_git_folder_without_a_head_is_no_root(codex: Codex) -> None:
    codex.config(shop="trusted")
    codex.project("app/.codex/config.toml", SERVER.format("app", "x"))
    codex.cwd = codex.repository / "app"
    assert codex.states("mcp-servers") == {"app": "active"}
    (codex.repository / ".git/HEAD").unlink()
    assert codex.states("mcp-servers") == {"app": "untrusted"}


def test_a_worktree_has_the_trust_and_the_hooks_of_the_main_checkout(codex: Codex) -> None:
    codex.config(shop="trusted")
    own = codex.repository.parent / "side"
    worktree(codex.repository, own)
    written(own / ".codex/config.toml", SERVER.format("side", "x"))
    written(own / ".codex/hooks.json", {"hooks": {"SessionStart": STOP["hooks"]["Stop"]}})
    main = codex.project(".codex/hooks.json", STOP)
    codex.cwd = own
    assert codex.states("mcp-servers") == {"side": "active"}
    assert [(each.found.source.path, each.state) for each in codex.stands("hooks")] == [(str(main), "waiting")]


def test_a_clone_that_claims_to_be_a_worktree_is_none(codex: Codex) -> None:
    codex.config(shop="trusted")
    own = codex.repository.parent / "side"
    worktree(codex.repository, codex.repository.parent / "other")
    written(own / ".git", f"gitdir: {codex.repository}/.git/worktrees/other\n")
    written(own / ".codex/config.toml", SERVER.format("side", "x"))
    codex.cwd = own
    assert codex.states("mcp-servers") == {"side": "untrusted"}


def test_a_folder_that_nobody_trusts_switches_no_server_of_the_users_off(codex: Codex) -> None:
    codex.config(SERVER.format("a", "x"))
    codex.project(".codex/config.toml", SERVER.format("a", "y") + "enabled = false\n")
    assert [(each.found.source.level, each.state) for each in codex.stands("mcp-servers")] == [
        ("project", "untrusted"),
        ("user", "active"),
    ]


def test_a_skill_file_that_is_a_link_or_begins_with_a_mark_is_not_loaded(codex: Codex) -> None:
    codex.project(".agents/skills/marked/SKILL.md", "\ufeff" + skill("marked"))
    real = codex.user("real/SKILL.md", skill("linked"))
    codex.project(".agents/skills/linked/notes.md", "x").with_name("SKILL.md").symlink_to(real)
    (codex.repository / ".agents/skills/folder").symlink_to(written(codex.home / "own/SKILL.md", skill("own")).parent)
    assert codex.states("skills") == {"own": "active", "linked": "invalid", "marked": "invalid"}


def test_the_reason_names_the_line_that_distrusts(codex: Codex) -> None:
    codex.config(shop="untrusted")
    codex.project(".codex/config.toml", SERVER.format("a", "x"))
    (server,) = codex.stands("mcp-servers")
    assert server.held is not None
    assert Path(server.held.path).read_text().splitlines()[server.held.line - 1] == 'trust_level = "untrusted"'


def test_a_trusted_project_changes_one_key_of_a_server(codex: Codex) -> None:
    codex.config(SERVER.format("a", "x"), shop="trusted")
    codex.project(".codex/config.toml", "[mcp_servers.a]\nenabled = false\n")
    assert [(each.found.source.level, each.state) for each in codex.stands("mcp-servers")] == [
        ("project", "off"),
        ("user", "shadowed"),
    ]


def test_skills_are_switched_by_file_or_name_and_the_last_entry_decides(codex: Codex) -> None:
    by_file = codex.project(".agents/skills/by-file/SKILL.md", skill("by-file"))
    by_folder = codex.project(".agents/skills/by-folder/SKILL.md", skill("by-folder"))
    again = codex.user(".agents/skills/again/SKILL.md", skill("again"))
    codex.user(".agents/skills/by-name/SKILL.md", skill("by-name"))
    entry = "[[skills.config]]\n{}\nenabled = {}\n"
    off = [f'path = "{by_file}"', f'path = "{by_folder.parent}"', 'name = "by-name"', 'name = "again"']
    codex.config("".join(entry.format(key, "false") for key in off) + entry.format(f'path = "{again}"', "true"))
    assert codex.states("skills") == {"by-file": "off", "by-folder": "active", "again": "active", "by-name": "off"}


def test_a_project_switches_no_skill_off(codex: Codex) -> None:
    codex.config(shop="trusted")
    codex.project(".codex/config.toml", '[[skills.config]]\nname = "s"\nenabled = false\n')
    codex.user(".agents/skills/s/SKILL.md", skill("s"))
    assert codex.states("skills") == {"s": "active"}


def test_skills_of_one_name_stand_side_by_side(codex: Codex) -> None:
    codex.project(".agents/skills/s/SKILL.md", skill("s"))
    codex.user(".agents/skills/s/SKILL.md", skill("s"))
    assert [each.state for each in codex.stands("skills")] == ["active", "active"]


def test_a_hook_waits_until_it_is_reviewed_and_again_when_it_changes(codex: Codex) -> None:
    path = codex.user(".codex/hooks.json", STOP)
    assert codex.states("hooks") == {"Stop": "waiting"}
    table = f'[hooks.state."{path}:stop:0:0"]\n'
    codex.config(table + f'trusted_hash = "{STOP_HASH}"\n')
    assert codex.states("hooks") == {"Stop": "active"}
    codex.user(".codex/hooks.json", {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "false"}]}]}})
    assert codex.states("hooks") == {"Stop": "waiting"}
    codex.config(table + f'trusted_hash = "{STOP_HASH}"\nenabled = false\n')
    assert codex.states("hooks") == {"Stop": "off"}


def test_the_feature_switches_all_hooks_off_and_a_trusted_project_may(codex: Codex) -> None:
    codex.user(".codex/hooks.json", STOP)
    codex.config("[features]\nhooks = false\n")
    assert codex.states("hooks") == {"Stop": "off"}
    codex.config(shop="trusted")
    codex.project(".codex/config.toml", "[features]\nhooks = false\n")
    assert codex.states("hooks") == {"Stop": "off"}
    codex.config()
    assert codex.states("hooks") == {"Stop": "waiting"}


def test_a_broken_configuration_stops_the_program(codex: Codex) -> None:
    codex.user(".agents/skills/s/SKILL.md", skill("s"))
    codex.user(".codex/config.toml", "model = \n")
    (found,) = codex.stands("skills")
    assert (found.state, found.held and found.held.line) == ("refused", 1)


def test_a_broken_configuration_of_an_untrusted_folder_stops_nothing(codex: Codex) -> None:
    codex.user(".agents/skills/s/SKILL.md", skill("s"))
    codex.project(".codex/config.toml", "model = \n")
    assert codex.states("skills") == {"s": "active"}
    codex.config(shop="trusted")
    assert codex.states("skills") == {"s": "refused"}


def test_root_markers_of_the_user_decide_where_the_project_begins(codex: Codex) -> None:
    shutil.rmtree(codex.repository / ".git")
    codex.project("ROOT", "")
    codex.project(".codex/config.toml", SERVER.format("root", "x"))
    codex.cwd = codex.repository / "app"
    codex.cwd.mkdir()
    codex.config('project_root_markers = ["ROOT"]\n', shop="trusted")
    assert codex.states("mcp-servers") == {"root": "active"}


@pytest.mark.parametrize("odd", ['url = "http://127.0.0.1"', "oauth = {}", 'bearer_token_env_var = "X"', "args = 3"])
def test_a_server_of_the_wrong_shape_stops_the_program(odd: str, codex: Codex) -> None:
    codex.user(".agents/skills/s/SKILL.md", skill("s"))
    codex.config(SERVER.format("a", "x") + odd + "\n")
    (found,) = codex.stands("skills")
    assert found.state == "refused"
    assert "server `a`" in found.reason
    assert found.held is not None
    assert Path(found.held.path).read_text().splitlines()[found.held.line - 1].split(" =")[0] in odd


def test_prompts_are_listed_as_what_they_are_today(codex: Codex) -> None:
    codex.user(".codex/prompts/fix.md", "Fix it")
    assert codex.states("commands") == {"fix": "off"}


def test_context_files_ask_for_the_current_directory_and_its_repository_alone(codex: Codex) -> None:
    codex.project("AGENTS.md", "root")
    codex.cwd = codex.project("app/AGENTS.md", "near").parent
    codex.config(shop="untrusted")
    assert {each.state for each in codex.stands("context-files")} == {"untrusted"}
    (codex.repository / ".hg").mkdir()
    shutil.rmtree(codex.repository / ".git")
    codex.config('project_root_markers = [".hg"]', shop="untrusted")
    assert {each.state for each in codex.stands("context-files")} == {"active"}
    codex.config('project_root_markers = [".hg"]', shop__app="untrusted")
    assert {each.state for each in codex.stands("context-files")} == {"untrusted"}


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("name: 12\ndescription: d", {"12": "active"}),
        ("name: 0x1F\ndescription: 2026-11-18", {"0x1F": "active"}),
        ("name: true\ndescription: true", {"true": "active"}),
        ("name: {a: b}\ndescription: d", {"{a: b}": "active"}),
        ('name: "a\\nb  c"\ndescription: d', {"a b c": "active"}),
        ("name: n\ndescription: d\nmore:\n  a: b: c", {"n": "active"}),
        ("name: [a, b]\ndescription: d", {"s": "invalid"}),
        ("name: n\ndescription: d\ntools: *star", {"n": "invalid"}),
        ("name: n\ndescription: d\ntools: %x", {"n": "invalid"}),
        ("name: n\ndescription: d\nmetadata: text", {"n": "invalid"}),
        (f"name: {'x' * 65}\ndescription: d", {"x" * 65: "invalid"}),
    ],
)
def test_headers_of_skills_are_read_as_codex_reads_them(header: str, expected: dict[str, str], codex: Codex) -> None:
    codex.project(".agents/skills/s/SKILL.md", f"---\n{header}\n---\nDo it.\n")
    assert codex.states("skills") == expected


def test_blanks_behind_the_fences_of_a_skills_header_do_not_matter(codex: Codex) -> None:
    codex.project(".agents/skills/s/SKILL.md", "--- \nname: n\ndescription: d\n--- \nDo it.\n")
    assert codex.states("skills") == {"n": "active"}
