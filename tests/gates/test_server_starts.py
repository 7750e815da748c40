"""A server starts as exactly what somebody agreed to, and as nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.harness import Run, all_harnesses
from pisces.discovery.registry import discover
from pisces.gates.judge import judge_now
from pisces.gates.server_starts import FLOATS, ServerStartGates
from pisces.gates.trust import remember_trust
from pisces.gates.trusted import Trust, trust_in
from pisces.gates.workspace import covered_here, covered_request, covered_server
from pisces.mcp.plan import ServerPlan
from pisces.mcp.planned import plan_of
from pisces.modules.entries import module_entries
from pisces.places import Places
from pisces.scanning.acting import what_acts
from pisces.shapes.request import ALWAYS, NO, ONCE, Request, ServerRequest
from pisces.shapes.verdict import Verdict
from tests.packages.test_install import World


class Person:
    """Gives one answer to every question, and remembers what it was asked."""

    def __init__(self, answer: str, gates: ServerStartGates) -> None:
        self.answer, self.gates, self.why = answer, gates, [""]

    def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        assert isinstance(request, ServerRequest)
        self.why = [each.why for each in questions]
        return self.gates.answered(request, self.answer)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("home/.pisces/agent", "work/.git"):
        (tmp_path / name).mkdir(parents=True)
    env = {"PATH": "/usr/bin:/bin", "TOKEN": "t0k"}
    return Places(str(tmp_path / "home"), str(tmp_path / "work"), env)


def project_server(places: Places, **config: object) -> ServerRequest:
    Path(places.cwd, "server.py").touch()
    settings = {"mcpServers": {"shop": {"command": "python3", "args": ["server.py"], **config}}}
    Path(places.cwd, ".mcp.json").write_text(json.dumps(settings))
    return the_request(places)


def own_server(places: Places, **config: object) -> ServerRequest:
    path = Path(places.home, ".pisces", "agent", "mcp.json")
    path.write_text(json.dumps({"mcpServers": {"shop": config}}))
    return the_request(places)


def the_request(places: Places) -> ServerRequest:
    found = [each for each in discover(MCP_SERVERS, places).items if each.item.name == "shop"]
    plan = plan_of(found[0], places)
    assert isinstance(plan, ServerPlan), plan
    return plan.request


def start(places: Places, request: ServerRequest, answer: str = NO, trust: Trust | None = None) -> tuple[bool, str]:
    """Whether it may start, and what the user was asked."""
    gates = ServerStartGates(places, trust or trust_in(places))
    person = Person(answer, gates)
    judged = judge_now(request, gates.gates, person)
    return judged.verdict.is_allowed, "; ".join(person.why)


def may_start(places: Places, request: ServerRequest, trust: Trust | None = None) -> bool:
    """Where nobody can be asked."""
    return judge_now(request, ServerStartGates(places, trust or trust_in(places)).gates, None).verdict.is_allowed


def test_the_users_own_server_starts_unasked(places: Places) -> None:
    assert start(places, own_server(places, command="server")) == (True, "")


def test_a_projects_server_is_asked_about_and_never_starts_where_nobody_can_be_asked(places: Places) -> None:
    request = project_server(places)
    assert not may_start(places, request)
    assert start(places, request) == (False, "it was never started here before")
    assert start(places, request, ONCE)[0]
    assert not may_start(places, request)  # once is once


def test_what_was_allowed_is_remembered_bound_to_exactly_this(places: Places) -> None:
    assert start(places, project_server(places), ALWAYS)[0]
    assert may_start(places, the_request(places))


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"args": ["server.py", "--all"]}, "`python3 server.py` is now `python3 server.py --all`"),
        ({"args": ["server.py "]}, "command line"),
        ({"env": {"TOKEN": "${TOKEN}"}}, "variables: `TOKEN` is new"),
        ({"cwd": "sub"}, "folder"),
    ],
)
def test_any_change_of_the_entry_asks_again_and_says_what_changed(
    places: Places, config: dict[str, object], said: str
) -> None:
    start(places, project_server(places), ALWAYS)
    changed = project_server(places, **config)
    assert not may_start(places, changed)
    allowed, why = start(places, changed)
    assert not allowed
    assert said in why or "changed .mcp.json" in why


def test_a_changed_file_of_the_project_asks_again(places: Places) -> None:
    request = project_server(places)
    start(places, request, ALWAYS)
    Path(places.cwd, "server.py").write_text("import os\n")
    allowed, why = start(places, the_request(places))
    assert (allowed, "changed server.py" in why) == (False, True)


def test_words_are_not_moved_into_one_another(places: Places) -> None:
    """`a b` as two words and as one word are shown alike and start different things."""
    start(places, project_server(places, args=["server.py", "a b"]), ALWAYS)
    settings = Path(places.cwd, ".mcp.json")
    before = the_request(places)
    settings.write_text(settings.read_text().replace('"a b"', '"a", "b"'))
    after = the_request(places)
    assert before.exact == after.exact
    assert not may_start(places, after)


def test_what_changes_while_the_user_is_asked_does_not_start(places: Places) -> None:
    request = project_server(places)
    gates = ServerStartGates(places, Trust())

    def confirm(asked: Request, _questions: tuple[Verdict, ...]) -> Verdict:
        Path(places.cwd, "server.py").write_text("import os\n")
        assert isinstance(asked, ServerRequest)
        return gates.answered(asked, ALWAYS)

    verdict = judge_now(request, gates.gates, confirm).verdict
    assert (verdict.is_allowed, verdict.why) == (False, "it changed while you were asked")
    assert not may_start(places, the_request(places))


def test_trust_of_the_workspace_covers_its_servers_as_they_are(places: Places) -> None:
    request = project_server(places)
    remember_trust(places, lambda trust: trust.including(places.cwd, [covered_request(request, places)]))
    assert may_start(places, the_request(places))
    Path(places.cwd, "server.py").write_text("import os\n")
    assert not may_start(places, the_request(places))


def test_trust_for_one_run_covers_the_project(places: Places) -> None:
    trust = Trust().including_for_this_run(places.cwd)
    assert may_start(places, project_server(places, command="npx", args=["x"]), trust)


def test_a_remote_server_is_bound_to_its_address_and_its_headers(places: Places) -> None:
    remote = {"command": None, "args": None, "type": "http", "url": "https://a.example/mcp"}
    start(places, project_server(places, **remote), ALWAYS)
    assert may_start(places, the_request(places))
    changed = project_server(places, **{**remote, "headers": {"Authorization": "Bearer ${TOKEN}"}})
    assert not may_start(places, changed)
    assert "t0k" not in repr(changed)
    assert not may_start(places, project_server(places, **{**remote, "url": "https://b.example/mcp"}))


def test_values_of_variables_are_in_no_request_and_no_file(places: Places) -> None:
    request = project_server(places, args=["server.py", "${TOKEN}"], env={"A": "x${TOKEN}"})
    assert "t0k" not in repr(request)
    start(places, request, ALWAYS)
    stored = Path(places.home, ".pisces", "agent", "approved-servers.json")
    assert "t0k" not in stored.read_text()
    assert stored.stat().st_mode & 0o077 == 0
    assert {"A", "TOKEN"} <= set(request.env)


@pytest.mark.parametrize("broken", ["", "[]", '{"x": 1}', "{"])
def test_a_broken_file_of_approvals_allows_nothing(places: Places, broken: str) -> None:
    start(places, project_server(places), ALWAYS)
    Path(places.home, ".pisces", "agent", "approved-servers.json").write_text(broken)
    assert not may_start(places, the_request(places))


def floating(places: Places, choice: str) -> None:
    Path(places.home, ".pisces", "agent", "config.yml").write_text(f"mcp:\n  floating: {choice}\n")


@pytest.mark.parametrize(
    ("choice", "own", "projects"), [("allow", True, True), ("ask", False, False), ("deny", False, False)]
)
def test_the_user_chooses_what_becomes_of_floating_launches(
    places: Places, choice: str, own: bool, projects: bool
) -> None:
    floating(places, choice)
    assert may_start(places, own_server(places, command="npx", args=["-y", "x"])) is own
    Path(places.home, ".pisces", "agent", "mcp.json").unlink()
    request = project_server(places, command="npx", args=["-y", "x"])
    remember_trust(places, lambda trust: trust.including(places.cwd, [covered_request(request, places)]))
    assert may_start(places, request) is projects


def test_floating_is_allowed_for_the_users_own_and_asked_for_others(places: Places) -> None:
    assert may_start(places, own_server(places, command="npx", args=["-y", "x"]))
    Path(places.home, ".pisces", "agent", "mcp.json").unlink()
    request = project_server(places, command="npx", args=["-y", "x"])
    remember_trust(places, lambda trust: trust.including(places.cwd, [covered_request(request, places)]))
    assert start(places, request) == (False, "`x` is whatever version the registry has")
    assert start(places, request, ALWAYS)[0]
    assert may_start(places, request)


def test_a_choice_that_is_none_means_ask(places: Places) -> None:
    floating(places, "[yes]")
    assert not may_start(places, own_server(places, command="npx", args=["-y", "x"]))


def test_a_project_cannot_choose_what_becomes_of_floating_launches(places: Places) -> None:
    Path(places.cwd, ".pisces").mkdir()
    Path(places.cwd, ".pisces", "settings.json").write_text('{"mcp": {"floating": "allow"}}')
    request = project_server(places, command="npx", args=["-y", "x"])
    remember_trust(places, lambda trust: trust.including(places.cwd, [covered_request(request, places)]))
    assert not may_start(places, request)


def test_what_is_denied_as_floating_says_how_to_pin_it(places: Places) -> None:
    floating(places, "deny")
    request = own_server(places, command="npx", args=["-y", "x"])
    verdict = judge_now(request, ServerStartGates(places, Trust()).gates, None).verdict
    assert (verdict.who, "pisces mcp pin shop" in verdict.hint) == (FLOATS, True)


@pytest.mark.parametrize(
    ("argv", "file"),
    [
        (["npx", "-y", "@acme/shop-server"], ".npmrc"),
        (["npx", "shop-server@1.2.3"], "node_modules/.bin/shop-server"),
        (["npx", "-y", "@acme/shop-server"], "node_modules/@acme/shop-server"),
        (["yarn", "dlx", "shop-server"], ".yarnrc.yml"),
        (["bunx", "shop-server"], "bunfig.toml"),
        (["python3", "-m", "shop"], "shop.py"),
        (["python3.12", "-m", "shop.server"], "shop"),
        (["node", "dist/server.js"], "dist/server.js"),
        (["python3", "-u", "server.py"], "server.py"),
        (["./run", "it"], "run"),
        (["tools/run"], "tools/run"),
        (["npm", "run", "mcp"], "package.json"),
        (["make", "mcp"], "Makefile"),
        (["env", "A=1", "npx", "-y", "shop-server"], ".npmrc"),
        (["bash", "-lc", "cd . && ./serve.sh"], "serve.sh"),
        (["sh", "-c", "exec npm run mcp"], "package.json"),
        (["uv", "run", "server"], "pyproject.toml"),
    ],
)
def test_a_project_cannot_slip_its_files_under_a_server_of_the_user(places: Places, argv: list[str], file: str) -> None:
    """npx takes the registry from the `.npmrc` of the folder that it runs in, and programs from its node_modules."""
    request = own_server(places, command=argv[0], args=argv[1:])
    assert may_start(places, request)
    planted = Path(places.cwd, file)
    planted.parent.mkdir(parents=True, exist_ok=True)
    planted.write_text("registry=http://evil.example\n")
    allowed, why = start(places, request)
    assert (allowed, file.split("/")[-1] in why) == (False, True)
    assert start(places, request, ALWAYS)[0]
    assert may_start(places, request)
    planted.write_text("registry=http://more-evil.example\n")
    assert not may_start(places, request)


@pytest.mark.parametrize(
    ("argv", "file"),
    [
        (["uv", "--directory", "/elsewhere", "run", "server"], "pyproject.toml"),
        (["uv", "tool", "run", "server"], "pyproject.toml"),
        (["uvx", "server"], "uv.toml"),
        (["server", "README.md"], "README.md"),
        (["node", "/elsewhere/server.js"], "server.js"),
        (["npx", "-y", "shop-server"], "package.json"),
    ],
)
def test_other_files_of_a_project_do_not_matter_to_a_server_of_the_user(
    places: Places, argv: list[str], file: str
) -> None:
    Path(places.cwd, file).write_text("x")
    assert may_start(places, own_server(places, command=argv[0], args=argv[1:]))


def test_the_program_that_makes_headers_is_covered_and_shown(places: Places) -> None:
    script = Path(places.cwd, "headers.sh")
    script.write_text("echo {}\n")
    remote = {"command": None, "args": None, "type": "http", "url": "https://a.example/mcp"}
    request = project_server(places, **remote, headersHelper="sh headers.sh")
    assert "sh headers.sh" in request.exact
    remember_trust(places, lambda trust: trust.including(places.cwd, covered_server(request, places)))
    assert may_start(places, request)
    script.write_text("evil\n")
    assert not may_start(places, request)
    assert start(places, request, ALWAYS)[0]
    assert may_start(places, request)
    script.write_text("more evil\n")
    assert not may_start(places, request)


def test_trust_as_the_shell_gives_it_covers_a_server(places: Places) -> None:
    """`pisces trust` and a start name the same thing in the same way."""
    request = project_server(places, cwd="sub", env={"A": "${TOKEN}"})
    acting = [each.act for each in what_acts(all_harnesses(), places, Run()) if not each.yours]
    covered = covered_here(module_entries(places), acting, places)
    remember_trust(places, lambda trust: trust.including(places.cwd, covered))
    assert may_start(places, request)


def test_a_package_starts_its_server_while_its_files_are_as_agreed(tmp_path: Path) -> None:
    world = World(tmp_path)
    source, places = world.package("box"), world.places
    server = {"command": "node", "args": ["${extensionPath}/server.js"]}
    manifest = {"name": "box", "version": "1.0.0", "mcpServers": {"shop": server}}
    (source / "gemini-extension.json").write_text(json.dumps(manifest))
    (source / "server.js").write_text("1\n")
    world.install(source)
    request = the_request(places)
    assert request.package == "box"
    assert may_start(places, request)
    Path(request.folder, "server.js").write_text("2\n")
    assert not may_start(places, request)
    assert not may_start(places, request, Trust().including_for_this_run(places.cwd))
    assert not start(places, request, ALWAYS)[0]


def test_a_name_that_is_a_command_line_is_quoted_in_what_people_paste(places: Places) -> None:
    floating(places, "deny")
    request = own_server(places, command="npx", args=["-y", "x"]).replace(name="shop; rm -rf ~")
    verdict = judge_now(request, ServerStartGates(places, trust_in(places)).gates, None).verdict
    assert "pisces mcp pin 'shop; rm -rf ~'" in verdict.hint
