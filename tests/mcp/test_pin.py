"""A pinned server starts as the version that was pinned, whatever the registry has by then."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.registry import discover
from pisces.gates.judge import judge_now
from pisces.gates.server_starts import ServerStartGates
from pisces.gates.trusted import Trust
from pisces.mcp.pin_words import LaunchParts, NotPinnable, fetched
from pisces.mcp.plan import ServerPlan
from pisces.mcp.planned import plan_of
from pisces.places import Places
from tests.mcp.plan_registries import Registry, registry
from tests.warm_shell import pisces

WITH_NPM = pytest.mark.skipif(not shutil.which("npm"), reason="npm is not here")
CALLS = [("initialize", 1), ("tools/call", 2)]
SPEAKER = """import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    text = json.dumps({"version": VERSION, "argv": sys.argv[1:], "env": dict(os.environ)})
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"content": [{"text": text}]}}), flush=True)"""


class World:
    """A home in which one server is configured, and a registry."""

    def __init__(self, root: Path, packages: Registry) -> None:
        self.home, self.work, self.packages = root / "home", root / "work", packages
        (self.home / ".pisces" / "agent").mkdir(parents=True)
        self.work.mkdir()
        (self.home / ".npmrc").write_text(f"registry={packages.url}\ncache={root}/npm\n")
        (self.home / ".config" / "pip").mkdir(parents=True)
        (self.home / ".config" / "pip" / "pip.conf").write_text(f"[global]\nindex-url = {packages.url}/simple\n")
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "ANTHROPIC_API_KEY": "sk-host"}
        env |= {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), "PIP_NO_CACHE_DIR": "1"}
        self.env = env

    @property
    def places(self) -> Places:
        return Places(str(self.home), str(self.work), self.env)

    def configure(self, *argv: str, name: str = "shop") -> None:
        entry = {"command": argv[0], "args": list(argv[1:])}
        (self.home / ".pisces" / "agent" / "mcp.json").write_text(json.dumps({"mcpServers": {name: entry}}))

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return pisces("mcp", "pin", *words, cwd=self.work, env=self.env, timeout=240)

    def pin(self, *words: str) -> dict[str, Any]:
        done = self.run("shop", "--yes", "--output-format", "json", *words)
        assert done.returncode == 0, done.stderr
        pin: dict[str, Any] = json.loads(done.stdout)["pins"]["shop"]
        return pin

    def plan(self) -> ServerPlan:
        plan = self.planned()
        assert isinstance(plan, ServerPlan), plan
        return plan

    def planned(self) -> ServerPlan | Diagnostic:
        (found,) = discover(MCP_SERVERS, self.places).items
        return plan_of(found, self.places)

    def may_start(self) -> bool:
        gates = ServerStartGates(self.places, Trust()).gates
        return judge_now(self.plan().request, gates, None).verdict.is_allowed

    def started(self) -> dict[str, Any]:
        """What the server says of itself, started as it is planned."""
        plan = self.plan()
        asked = "".join(json.dumps({"jsonrpc": "2.0", "id": id, "method": method}) + "\n" for method, id in CALLS)
        done = subprocess.run(
            plan.argv, cwd=plan.cwd, env=dict(plan.env), input=asked, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(json.loads(done.stdout.splitlines()[-1])["result"]["content"][0]["text"])
        return answer


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with registry() as packages:
        yield World(tmp_path, packages)


@WITH_NPM
@pytest.mark.parametrize("spec", ["shop-server@latest", "shop-server@^1"])
def test_a_new_version_in_the_registry_is_not_run(world: World, spec: str) -> None:
    """The rug pull: what was 1.0.0 when it was pinned is 1.0.1 now."""
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", spec, "--stock", "$HOME")
    assert world.plan().floating
    pin = world.pin()
    assert pin["version"] == "npm shop-server@1.0.0"
    assert pin["integrity"].startswith("sha512-")
    world.packages.add_npm("shop-server", "1.0.1")
    plan = world.plan()
    assert (plan.floating, plan.pin) == ("", f"npm shop-server@1.0.0 {pin['integrity']}")
    answer = world.started()
    assert (answer["version"], answer["argv"]) == ("1.0.0", ["--stock", "$HOME"])
    assert "ANTHROPIC_API_KEY" not in answer["env"]
    assert world.may_start()


@WITH_NPM
def test_a_pinned_server_starts_without_the_network(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "shop-server")
    world.pin()
    asked = len(world.packages.asked)
    world.packages.tarballs.clear()
    assert world.started()["version"] == "1.0.0"
    assert len(world.packages.asked) == asked


@WITH_NPM
def test_what_a_package_needs_is_pinned_with_it(world: World) -> None:
    world.packages.add_npm("shop-parts", "2.0.0")
    world.packages.add_npm("shop-server", "1.0.0", dependencies={"shop-parts": "^2"})
    world.configure("npx", "-y", "shop-server")
    world.pin()
    world.packages.add_npm("shop-parts", "2.0.1")
    folder = Path(world.plan().pin_folder)
    assert json.loads((folder / "node_modules" / "shop-parts" / "package.json").read_text())["version"] == "2.0.0"


@WITH_NPM
def test_no_script_of_a_package_runs_while_it_is_pinned(world: World) -> None:
    mark = world.home / "ran"
    names = ("preinstall", "install", "postinstall", "prepare")
    world.packages.add_npm("shop-server", "1.0.0", scripts=dict.fromkeys(names, f"touch {mark}"))
    world.configure("npx", "-y", "shop-server")
    own = world.home / ".npmrc"
    own.write_text(own.read_text() + "ignore-scripts=false\n")
    world.pin()
    assert not mark.exists()


@WITH_NPM
def test_bytes_that_are_not_what_the_registry_says_are_refused(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.packages.lies.add("shop-server")
    world.configure("npx", "-y", "shop-server")
    done = world.run("shop", "--yes")
    assert (done.returncode, "server-not-pinned" in done.stderr) == (1, True)
    assert world.plan().floating
    assert not list((world.home / ".pisces" / "agent" / "pinned-servers").iterdir())


@WITH_NPM
def test_a_server_that_changes_its_own_files_does_not_start_again(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", "shop-server")
    world.pin()
    program = Path(world.plan().argv[1])
    assert world.may_start()
    program.write_text(program.read_text().replace("1.0.0", "6.6.6"))
    assert not world.may_start()
    world.pin()
    assert world.may_start()
    assert world.started()["version"] == "1.0.0"


@WITH_NPM
def test_a_file_that_is_added_to_a_pin_is_noticed(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", "shop-server")
    world.pin()
    Path(world.plan().pin_folder, "node_modules", "readline.js").write_text("evil()\n")
    assert not world.may_start()


@WITH_NPM
def test_a_pin_does_not_count_for_an_entry_that_changed(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", "shop-server")
    world.pin()
    world.configure("npx", "-y", "other-server")
    plan = world.plan()
    assert plan.argv == ("npx", "-y", "other-server")
    assert {each.code for each in plan.diagnostics} == {"server-floats", "server-pin-stale"}


@WITH_NPM
def test_a_pin_whose_files_are_gone_is_not_replaced_by_the_newest(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", "shop-server")
    world.pin()
    shutil.rmtree(world.plan().pin_folder)
    planned = world.planned()
    assert isinstance(planned, Diagnostic)
    assert planned.code == "server-pin-gone"


@WITH_NPM
def test_a_forgotten_pin_leaves_nothing_behind(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", "shop-server")
    world.pin()
    folder = Path(world.plan().pin_folder)
    assert world.run("shop", "--forget").returncode == 0
    assert not folder.exists()
    assert world.plan().floating
    assert world.run("shop", "--forget").returncode == 1


@WITH_NPM
def test_pinning_again_takes_the_newest_and_removes_the_old_one(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", "shop-server")
    world.pin()
    world.packages.add_npm("shop-server", "1.1.0")
    assert world.pin()["version"] == "npm shop-server@1.1.0"
    assert len(list((world.home / ".pisces" / "agent" / "pinned-servers").iterdir())) == 1


@WITH_NPM
def test_a_configuration_of_the_project_does_not_choose_the_registry(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    (world.work / ".npmrc").write_text("registry=http://127.0.0.1:9/\n")
    (world.work / "package.json").write_text("{}")
    world.configure("npx", "-y", "shop-server")
    assert world.pin()["version"] == "npm shop-server@1.0.0"


@WITH_NPM
def test_the_program_is_chosen_as_npx_does(world: World) -> None:
    world.packages.add_npm("@acme/shop", "1.0.0", bin={"other": "package.json", "shop": "server.js"})
    world.configure("npx", "-y", "@acme/shop")
    world.pin()
    assert world.started()["version"] == "1.0.0"
    world.configure("npx", "-p", "@acme/shop", "shop", "-x")
    world.pin()
    assert world.started()["argv"] == ["-x"]
    world.configure("npx", "-p", "@acme/shop", "none")
    assert world.run("shop", "--yes").returncode == 1


@WITH_NPM
def test_a_program_outside_of_its_package_is_refused(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0", bin={"shop-server": "../../../../.npmrc"})
    world.configure("npx", "-y", "shop-server")
    done = world.run("shop", "--yes")
    assert done.returncode == 1, done.stdout


@WITH_NPM
def test_all_that_floats_is_pinned_at_once_and_one_failure_stops_no_other(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    lines = {"shop": ["-y", "shop-server"], "gone": ["-y", "no-such-server"], "fixed": ["-y", "shop-server@1.0.0"]}
    entries = {name: {"command": "npx", "args": args} for name, args in lines.items()}
    (world.home / ".pisces" / "agent" / "mcp.json").write_text(json.dumps({"mcpServers": entries}))
    done = world.run("--all", "--yes", "--output-format", "json")
    pins = json.loads(done.stdout)["pins"]
    assert (done.returncode, set(pins), "error" in pins["gone"]) == (1, {"shop", "gone"}, True)
    listed = world.run()
    assert "npm shop-server@1.0.0" in listed.stdout
    assert world.run("--all", "--forget").returncode == 0
    assert world.run().stdout == ""


@WITH_NPM
def test_the_registry_that_the_entry_names_is_the_one_that_is_asked(world: World) -> None:
    """Otherwise a pin of a private package would fetch whoever has its name elsewhere."""
    world.packages.add_npm("shop-server", "1.0.0")
    (world.home / ".npmrc").write_text("registry=http://127.0.0.1:9/\nfetch-retries=0\n")
    entry = {"command": "npx", "args": ["shop-server"], "env": {"npm_config_registry": world.packages.url}}
    (world.home / ".pisces" / "agent" / "mcp.json").write_text(json.dumps({"mcpServers": {"shop": entry}}))
    assert world.pin()["version"] == "npm shop-server@1.0.0"
    world.configure("npx", f"--registry={world.packages.url}", "shop-server")
    assert world.pin()["version"] == "npm shop-server@1.0.0"


def test_nothing_is_fetched_before_somebody_agrees(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", "shop-server")
    done = world.run("shop")
    assert done.returncode == 1
    assert "npm install --ignore-scripts" in done.stderr
    assert world.packages.asked == []


def test_a_password_for_the_registry_is_not_shown(world: World) -> None:
    world.configure("npx", "--registry=http://me:hunter2@127.0.0.1:9/", "shop-server")
    done = world.run("shop")
    assert (done.returncode, "hunter2" in done.stderr + done.stdout) == (1, False)
    assert "hunter2" not in world.plan().exact


def test_safe_mode_pins_nothing(world: World) -> None:
    world.packages.add_npm("shop-server", "1.0.0")
    world.configure("npx", "-y", "shop-server")
    world.env["PISCES_SAFE"] = "1"
    assert world.run("shop", "--yes").returncode == 1
    assert world.packages.asked == []


@pytest.mark.parametrize("argv", [("uvx", "shop-server"), ("uvx", "--from", "shop-server", "shop-server", "-x")])
def test_a_python_package_is_pinned_with_what_it_needs(world: World, argv: tuple[str, ...]) -> None:
    world.packages.add_wheel("shop-parts", "2.0", "pass")
    world.packages.add_wheel("shop-server", "1.0", SPEAKER, needs="shop-parts")
    world.configure(*argv)
    pin = world.pin()
    assert (pin["version"], pin["integrity"][:7]) == ("pypi shop-server==1.0", "sha256:")
    world.packages.add_wheel("shop-server", "1.1", SPEAKER, needs="shop-parts")
    world.packages.add_wheel("shop-parts", "2.1", "pass")
    asked = len(world.packages.asked)
    answer = world.started()
    assert (answer["version"], answer["argv"]) == ("1.0", list(argv[4:]))
    assert len(world.packages.asked) == asked
    assert world.may_start()  # starting it wrote nothing into its folder
    assert "ANTHROPIC_API_KEY" not in answer["env"]


def test_a_wheel_that_is_not_what_the_index_says_is_refused(world: World) -> None:
    world.packages.add_wheel("shop-server", "1.0", SPEAKER)
    world.packages.lies.add("shop-server")
    world.configure("uvx", "shop-server")
    assert world.run("shop", "--yes").returncode == 1
    assert world.plan().floating


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("npx -y x@latest a b", ("npm", ("x@latest",), "", ("a", "b"))),
        ("npx x -y", ("npm", ("x",), "", ("-y",))),
        ("npx --yes --package=x --package y cmd a", ("npm", ("x", "y"), "cmd", ("a",))),
        ("npx -- x -y", ("npm", ("x",), "", ("-y",))),
        ("npm exec -- x", ("npm", ("x",), "", ())),
        ("pnpm dlx x a", ("npm", ("x",), "", ("a",))),
        ("yarn dlx -p x cmd", ("npm", ("x",), "cmd", ())),
        ("bunx x", ("npm", ("x",), "", ())),
        ("bun x x", ("npm", ("x",), "", ())),
        ("cmd /c npx -y x", ("npm", ("x",), "", ())),
        ("uvx x@latest a", ("pypi", ("x",), "x", ("a",))),
        ("uvx x@1.2", ("pypi", ("x==1.2",), "x", ())),
        ("uvx --from x cmd -a", ("pypi", ("x",), "cmd", ("-a",))),
        ("uvx --with a,b x", ("pypi", ("x", "a", "b"), "x", ())),
        ("uv tool run x", ("pypi", ("x",), "x", ())),
        ("pipx run x a", ("pypi", ("x",), "x", ("a",))),
        ("pipx run --spec x cmd", ("pypi", ("x",), "cmd", ())),
    ],
)
def test_runners_are_read_as_they_read_themselves(line: str, parts: tuple[Any, ...]) -> None:
    assert fetched(tuple(line.split())) == LaunchParts(*parts)


@pytest.mark.parametrize("line", ["node server.js", "uv run x", "npm start", "docker run x", "pipx install x"])
def test_what_fetches_nothing_that_can_be_pinned_is_left_alone(line: str) -> None:
    assert fetched(tuple(line.split())) is None


@pytest.mark.parametrize("line", ["npx -c 'x'", "npx --odd x", "npx", "uvx --with-editable . x", "uvx", "npx -p"])
def test_an_option_whose_effect_would_be_lost_is_refused(line: str) -> None:
    with pytest.raises(NotPinnable):
        fetched(tuple(line.split()))


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("docker", "run", "-i", "acme/x"), "digest"),
        (("node", "server.js"), "fetches nothing"),
        (("npx", "github:acme/x"), "no package of a registry"),
        (("npx", "../x"), "no package of a registry"),
        (("npx", "."), "no package of a registry"),
        (("npx", "x@npm:y"), "no package of a registry"),
        (("uvx", "git+https://a.example/x"), "no package of an index"),
        (("uvx", "--from", "--editable", "x"), "no package of an index"),
    ],
)
def test_what_cannot_be_pinned_says_why(world: World, argv: tuple[str, ...], said: str) -> None:
    world.configure(*argv)
    done = world.run("shop", "--yes")
    assert done.returncode == 1
    assert said in done.stderr
    assert world.packages.asked == []


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"/x /shop": 1}'])
def test_a_broken_file_of_pins_pins_nothing(world: World, broken: str) -> None:
    world.configure("npx", "-y", "shop-server")
    (world.home / ".pisces" / "agent" / "server-pins.json").write_text(broken)
    assert world.plan().floating
