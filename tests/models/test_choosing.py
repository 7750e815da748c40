"""Which model is used: by name, by the user's settings, by keys, by servers on this machine."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import PiscesError
from pisces.models.choosing import choice_of, chosen_model, model_of
from pisces.models.local_servers import address_of, running_servers
from pisces.models.looking import looked
from pisces.models.providers import LOCAL, PROVIDERS, LocalServer
from pisces.models.wire import ModelAsk, ModelFailed
from pisces.places import Places
from pisces.shapes.message import BY_USER, ChatMessage, TextPart
from tests.models.recorder import Recorder
from tests.models.test_streams import made

NOWHERE = {"OLLAMA_HOST": "127.0.0.1:9"}
ASK = ModelAsk("", (ChatMessage(BY_USER, (TextPart("hi"),)),))


def places_in(folder: Path, **env: str) -> Places:
    work = folder / "work"
    work.mkdir(exist_ok=True)
    return Places(str(folder), str(work), {**NOWHERE, **env})


def settings(places: Places, text: str) -> Places:
    file = Path(places.agent_dir, "config.yml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return places


def name_of(wanted: str, places: Places, project: str = "") -> str:
    choice = choice_of(wanted, places, project)
    assert choice is not None
    return choice.facts.name


def code_of(wanted: str, places: Places, project: str = "") -> str:
    with pytest.raises(PiscesError) as caught:
        chosen_model(wanted, places, project)
    return caught.value.diagnostic.code


async def _sent(wanted: str, places: Places) -> str:
    model = chosen_model(wanted, places)
    assert model is not None
    try:
        async with model.answering(ASK) as stream:
            async for _ in stream:
                pass
            return stream.whole().message.text
    finally:
        await model.close()


def sent(wanted: str, places: Places) -> str:
    return asyncio.run(_sent(wanted, places))


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("anthropic", "anthropic/claude-sonnet-5-5"),
        ("anthropic/claude-opus-5-5", "anthropic/claude-opus-5-5"),
        ("claude-opus-5-5", "anthropic/claude-opus-5-5"),
        ("claude-of-next-year", "anthropic/claude-of-next-year"),
        ("opus", "anthropic/claude-opus-5-5"),
        ("gpt-6-luna", "openai/gpt-6-luna"),
        ("openrouter/qwen/qwen3-coder", "openrouter/qwen/qwen3-coder"),
        ("ollama/qwen3:8b", "ollama/qwen3:8b"),
        ("bedrock/amazon.nova-pro-v1:0", "bedrock/amazon.nova-pro-v1:0"),
    ],
)
def test_a_model_is_named_by_its_provider_its_own_name_or_an_alias(tmp_path: Path, wanted: str, name: str) -> None:
    places = places_in(tmp_path, ANTHROPIC_API_KEY="k", OPENAI_API_KEY="k", OPENROUTER_API_KEY="k")
    assert name_of(wanted, places) == name


@pytest.mark.parametrize("wanted", ["nobody/x", "nobody", "bedrock", "/", "anthropicclaude"])
def test_a_name_that_nobody_knows_is_an_error(tmp_path: Path, wanted: str) -> None:
    assert code_of(wanted, places_in(tmp_path, ANTHROPIC_API_KEY="k")) == "unknown-model"


@pytest.mark.parametrize("wanted", ["google", "gemini-3.8-flash", "flash"])
def test_a_named_provider_without_a_key_is_an_error_that_names_the_variable(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(PiscesError) as caught:
        chosen_model(wanted, places_in(tmp_path, ANTHROPIC_API_KEY="k", GOOGLE_API_KEY="  "))
    assert caught.value.diagnostic.code == "no-model-key"
    assert "`GEMINI_API_KEY` or `GOOGLE_API_KEY`" in caught.value.diagnostic.hint


def test_without_a_name_the_first_key_of_the_table_counts(tmp_path: Path) -> None:
    keys = {key: "k" for provider in PROVIDERS for key in provider.keys}
    for provider in PROVIDERS:
        assert name_of("", places_in(tmp_path, **keys)) == f"{provider.id}/{provider.default}"
        keys = {key: value for key, value in keys.items() if key not in provider.keys}


def test_env_files_of_a_project_are_not_read(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    for name in (".env", ".env.local"):
        Path(places.cwd, name).write_text("ANTHROPIC_API_KEY=k\n", encoding="utf-8")
    assert code_of("anthropic", places) == "no-model-key"


def test_openai_speaks_responses_at_home_and_chat_elsewhere(tmp_path: Path) -> None:
    at_home = choice_of("openai", places_in(tmp_path, OPENAI_API_KEY="k"))
    elsewhere = choice_of("openai", places_in(tmp_path, OPENAI_API_KEY="k", OPENAI_BASE_URL="http://127.0.0.1:1/v1"))
    assert at_home is not None
    assert elsewhere is not None
    assert (at_home.wire, elsewhere.wire) == ("openai_responses", "openai_chat")
    assert elsewhere.url == "http://127.0.0.1:1/v1"


ENTRY = """\
models:
  local:
    wire: openai-chat
    url: {url}
    model: qwen3-coder
    key_env: LOCAL_KEY
    headers: {{X-Team: boats-and-nets}}
    window: 131072
    most_output: 8192
    prices: {{input: 1, output: 2.5}}
    images: false
"""


def test_an_entry_of_the_user_has_address_key_headers_window_and_prices(tmp_path: Path) -> None:
    with Recorder() as server:
        _, server.body = made("chat", 3)
        places = settings(places_in(tmp_path, LOCAL_KEY="the-key"), ENTRY.format(url=f"{server.url}/v1"))
        sent("local", places)
        headers, path, body = server.sent_headers[0], server.paths[0], server.requests[0]
    assert (headers["authorization"], headers["x-team"]) == ("Bearer the-key", "boats-and-nets")
    assert (path, body["model"]) == ("/v1/chat/completions", "qwen3-coder")
    choice = choice_of("local", places)
    assert choice is not None
    facts = choice.facts
    assert (facts.name, facts.window, facts.most_output, facts.has_images) == ("local/qwen3-coder", 131072, 8192, False)
    assert facts.prices is not None
    assert (facts.prices.input, facts.prices.output) == (1.0, 2.5)


def test_a_flag_beats_the_settings_and_the_settings_beat_keys(tmp_path: Path) -> None:
    text = "model: fast\nmodels:\n  fast:\n    model: openai/gpt-6-luna\n"
    places = settings(places_in(tmp_path, ANTHROPIC_API_KEY="k", OPENAI_API_KEY="k"), text)
    assert name_of("", places) == "openai/gpt-6-luna"
    assert name_of("opus", places) == "anthropic/claude-opus-5-5"


def test_a_project_chooses_only_among_the_models_of_the_user(tmp_path: Path) -> None:
    text = "model: opus\nmodels:\n  fast:\n    model: openai/gpt-6-luna\n"
    places = settings(places_in(tmp_path, ANTHROPIC_API_KEY="k", OPENAI_API_KEY="k"), text)
    assert name_of("", places, project="fast") == "openai/gpt-6-luna"
    assert name_of("", places, project="openai/gpt-6-astra") == "anthropic/claude-opus-5-5"
    assert [each.code for each in looked("", places, "openai/gpt-6-astra").diagnostics] == ["project-model"]


def test_a_project_never_says_where_a_model_is(tmp_path: Path) -> None:
    places = places_in(tmp_path, ANTHROPIC_API_KEY="k")
    Path(places.cwd, ".pisces").mkdir()
    entry = {"wire": "anthropic", "url": "http://127.0.0.1:1", "model": "x", "headers": {"a": "b"}}
    text = json.dumps({"model": "theirs", "models": {"theirs": entry, "anthropic": entry}})
    Path(places.cwd, ".pisces", "settings.json").write_text(text, encoding="utf-8")
    choice = choice_of("", places, "theirs")
    assert choice is not None
    assert (choice.url, dict(choice.headers)) == ("https://api.anthropic.com", {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: [a]", "`models` is no table"),
        ("models:\n  a: x", "the entry is no table"),
        ("models:\n  a: {url: 'http://127.0.0.1', model: m}", "needs `wire`"),
        ("models:\n  a: {wire: smtp, url: 'http://127.0.0.1', model: m}", "no wire format"),
        ("models:\n  a: {wire: {a: 1}, url: 'http://127.0.0.1', model: m}", "no wire format"),
        ("models:\n  a: {model: m, prices: {input: .inf, output: 1}}", "something else than dollars"),
        ("models:\n  a: {wire: openai-chat, url: 'http://127.0.0.1'}", "`model` is missing"),
        ("models:\n  a: {model: m, colour: red}", "nobody knows `colour`"),
        ("models:\n  a: {model: m, key_env: K}", "need `url`"),
        ("models:\n  a: {model: m, window: many}", "no number of tokens"),
        ("models:\n  a: {model: m, window: true}", "no number of tokens"),
        ("models:\n  a: {model: m, prices: {input: 1}}", "needs `input` and `output`"),
        ("models:\n  a: {model: m, prices: {input: 1, output: free}}", "something else than dollars"),
        ("models:\n  a: {model: m, images: 1}", "neither true nor false"),
        (
            "models:\n  a: {wire: openai-chat, url: 'http://127.0.0.1', model: m, key_command: pass show x}",
            "no list of words",
        ),
        (
            'models:\n  a: {wire: openai-chat, url: "http://127.0.0.1", model: m, headers: {a: "b\\nc"}}',
            "one line of ASCII",
        ),
    ],
)
def test_an_entry_that_cannot_be_understood_is_left_out_and_said(tmp_path: Path, text: str, said: str) -> None:
    places = settings(places_in(tmp_path, ANTHROPIC_API_KEY="k"), text)
    found = looked("opus", places)
    assert [each.code for each in found.diagnostics] == ["model-settings"]
    assert said in found.diagnostics[0].message
    assert found.diagnostics[0].line
    assert found.choice is not None, "the others count"
    if "`a`" in found.diagnostics[0].message:
        assert code_of("a", places) == "model-settings"


@pytest.mark.parametrize("text", ["model: [", "model: 7", "- a"])
def test_settings_that_are_broken_never_send_the_conversation_to_another_model(tmp_path: Path, text: str) -> None:
    places = settings(places_in(tmp_path, ANTHROPIC_API_KEY="k"), text)
    assert code_of("", places) in ("config-syntax", "model-settings", "config-not-an-object")
    assert name_of("opus", places) == "anthropic/claude-opus-5-5"


def test_a_key_is_not_sent_over_plain_http_to_another_machine(tmp_path: Path) -> None:
    url = "http://models.example:8080"
    assert code_of("", places_in(tmp_path, ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=url)) == "key-without-tls"
    places = settings(places_in(tmp_path, LOCAL_KEY="k"), ENTRY.format(url=url))
    assert code_of("local", places) == "key-without-tls"
    allowed = settings(places, ENTRY.format(url=url) + "    plain_http: true\n")
    assert chosen_model("local", allowed) is not None


@pytest.mark.parametrize(
    ("url", "is_safe"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:5", True),
        ("HTTPS://models.example", True),
        ("http://127.0.0.1.evil.example", False),
        ("http://localhost.evil.example", False),
        ("http://127.0.0.1@evil.example", False),
        ("http://0.0.0.0", False),
        ("http://2130706433", False),
        ("http://[::ffff:10.0.0.1]", False),
    ],
)
def test_loopback_is_what_says_so_plainly(tmp_path: Path, url: str, is_safe: bool) -> None:
    places = places_in(tmp_path, ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=url)
    if is_safe:
        assert chosen_model("", places) is not None
    else:
        assert code_of("", places) in ("key-without-tls", "model-address")


@pytest.mark.parametrize(
    "url",
    ["models.example", "ftp://models.example", "https://", "https://me:secret@models.example", "https://a b", "//x"],
)
def test_what_is_no_address_is_an_error_that_does_not_repeat_it(tmp_path: Path, url: str) -> None:
    with pytest.raises(PiscesError) as caught:
        chosen_model("", places_in(tmp_path, OPENAI_API_KEY="k", OPENAI_BASE_URL=url))
    assert caught.value.diagnostic.code == "model-address"
    assert "secret" not in str(caught.value.diagnostic)


@pytest.mark.parametrize("key", ["sk-secret\nX-Evil: 1", "sk-sécret", "sk-secret\x00"])
def test_a_key_that_no_header_can_have_is_refused_and_not_shown(tmp_path: Path, key: str) -> None:
    with pytest.raises(PiscesError) as caught:
        chosen_model("", places_in(tmp_path, ANTHROPIC_API_KEY=key))
    assert caught.value.diagnostic.code == "no-model-key"
    assert "cret" not in str(caught.value.diagnostic)


COMMANDED = """\
models:
  local:
    wire: openai-chat
    url: {url}
    model: m
    key_command: {command}
"""


def test_a_program_of_the_user_prints_the_key_once(tmp_path: Path) -> None:
    with Recorder() as server:
        _, server.body = made("chat", 3)
        ran = tmp_path / "ran"
        command = json.dumps(["sh", "-c", f"echo x >> {ran}; echo printed-key"])
        places = settings(places_in(tmp_path, PATH="/usr/bin:/bin"), COMMANDED.format(url=server.url, command=command))

        async def twice() -> None:
            model = chosen_model("local", places)
            assert model is not None
            assert not ran.exists(), "nothing runs before the first request"
            for _ in range(2):
                async with model.answering(ASK) as stream:
                    async for _ in stream:
                        pass
            await model.close()

        asyncio.run(twice())
        assert [each["authorization"] for each in server.sent_headers] == ["Bearer printed-key"] * 2
    assert ran.read_text() == "x\n"


@pytest.mark.parametrize("script", ["echo oops; exit 3", "true", "printf 'a\\nb'", "exec no-such-program"])
def test_a_program_that_prints_no_key_fails_the_request_and_its_output_is_not_shown(
    tmp_path: Path, script: str
) -> None:
    command = json.dumps(["sh", "-c", script])
    places = settings(
        places_in(tmp_path, PATH="/usr/bin:/bin"), COMMANDED.format(url="http://127.0.0.1:9", command=command)
    )
    with pytest.raises(ModelFailed) as caught:
        sent("local", places)
    assert "oops" not in str(caught.value)


@contextmanager
def model_server(answer: bytes, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_given: Any) -> None:
            """Quiet."""

        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(status)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", paths
    finally:
        server.shutdown()
        server.server_close()


LISTED = json.dumps(
    {"object": "list", "data": [{"id": "nomic-embed-text"}, {"id": "qwen3:8b"}, {"id": 7}, "x"]}
).encode()


def test_a_server_on_this_machine_is_used_where_nothing_else_is_there(tmp_path: Path) -> None:
    with model_server(LISTED) as (host, paths):
        places = places_in(tmp_path, OLLAMA_HOST=host)
        choice = choice_of("", places)
        assert choice is not None
        assert (choice.facts.name, choice.url) == ("ollama/qwen3:8b", f"http://{host}/v1")
        assert paths == ["/v1/models"]
        paths.clear()
        assert name_of("", places.replace(env={**places.env, "MISTRAL_API_KEY": "k"})) == "mistral/mistral-large-latest"
        assert paths == [], "with a key, no server is asked"
        assert name_of("ollama", places) == "ollama/qwen3:8b"


@pytest.mark.parametrize(
    "told",
    [
        {"max_model_len": 32768},
        {"loaded_context_length": 32768, "max_context_length": 131072},
        {"context_length": 32768},
        {"meta": {"n_ctx": 32768, "n_ctx_train": 131072}},
        {"max_model_len": True, "context_length": "many", "context_window": 32768, "meta": []},
    ],
)
def test_the_window_that_a_server_tells_is_known(tmp_path: Path, told: dict[str, Any]) -> None:
    listed = json.dumps({"data": [{"id": "qwen3", **told}]}).encode()
    with model_server(listed) as (host, _):
        choice = choice_of("ollama", places_in(tmp_path, OLLAMA_HOST=host))
    assert choice is not None
    assert choice.facts.window == 32768


def test_a_token_of_a_gateway_is_sent_as_a_bearer_and_a_key_counts_before_it(tmp_path: Path) -> None:
    with Recorder() as server:
        _, server.body = made("anthropic", 3)
        places = places_in(tmp_path, ANTHROPIC_AUTH_TOKEN="the-token", ANTHROPIC_BASE_URL=server.url)
        sent("anthropic", places)
        sent("anthropic", places.replace(env={**places.env, "ANTHROPIC_API_KEY": "the-key"}))
        token, key = server.sent_headers
    assert (token["authorization"], token.get("x-api-key")) == ("Bearer the-token", None)
    assert (key.get("authorization"), key["x-api-key"]) == (None, "the-key")


def test_a_header_of_the_user_replaces_ours_however_it_is_spelled(tmp_path: Path) -> None:
    with Recorder() as server:
        _, server.body = made("chat", 3)
        text = ENTRY.format(url=server.url).replace("X-Team: boats-and-nets", "authorization: Basic mine")
        sent("local", settings(places_in(tmp_path, LOCAL_KEY="the-key"), text))
        assert server.sent_headers[0]["authorization"] == "Basic mine"


def test_a_model_with_an_odd_name_stays_within_its_path(tmp_path: Path) -> None:
    with Recorder() as server:
        _, server.body = made("gemini", 3)
        places = places_in(tmp_path, GEMINI_API_KEY="k", GOOGLE_GEMINI_BASE_URL=server.url)
        sent("google/x?key=1#y z", places)
        assert server.paths == ["/v1beta/models/x%3Fkey%3D1%23y%20z:streamGenerateContent?alt=sse"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"<html>", 200),
        (b"[]", 200),
        (b'{"data": {"a": 1}}', 200),
        (b'{"data": []}', 200),
        (LISTED, 404),
        (b"[" * 9000, 200),
    ],
)
def test_another_program_on_such_a_port_is_no_model_server(tmp_path: Path, answer: bytes, status: int) -> None:
    with model_server(answer, status) as (host, _):
        assert running_servers(places_in(tmp_path), (LocalServer("x", f"http://{host}/v1"),), 30) == []


def test_a_server_that_never_answers_holds_nobody_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, model_server(LISTED) as (host, _):
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        servers = (LocalServer("silent", address), LocalServer("good", f"http://{host}/v1"))
        assert [each.id for each in running_servers(places_in(tmp_path), servers, 2.0)] == ["good"]


def test_only_loopback_is_asked(tmp_path: Path) -> None:
    assert running_servers(places_in(tmp_path), (LocalServer("x", "http://models.example/v1"),), 30) == []
    assert not any(each.id == "ollama" for each in running_servers(places_in(tmp_path, OLLAMA_HOST="10.1.2.3"), LOCAL))


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        (":9999", "http://127.0.0.1:9999/v1"),
        ("box:9999", "http://box:9999/v1"),
        ("box", "http://box:11434/v1"),
        ("http://box:9999/", "http://box:9999/v1"),
        ("https://box", "https://box:443/v1"),
        ("[::1]:5", "http://[::1]:5/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(tmp_path: Path, given: str, address: str) -> None:
    assert address_of(LOCAL[0], places_in(tmp_path, OLLAMA_HOST=given)) == address


def test_providers_are_documented_in_the_order_in_which_they_are_looked_for() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "models.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| `([^|]+)` \|", guide, re.MULTILINE)
    assert [name for name, _ in rows] == [each.id for each in PROVIDERS]
    for (_, keys), each in zip(rows, PROVIDERS, strict=True):
        assert keys.split("`, `") == list(each.keys)


def test_making_a_model_imports_no_http_library(tmp_path: Path) -> None:
    program = (
        "import sys; from pisces.places import Places; from pisces.models.choosing import chosen_model;"
        f"chosen_model('', Places({str(tmp_path)!r}, {str(tmp_path)!r}, {{'ANTHROPIC_API_KEY': 'k'}}));"
        "print([each for each in ('httpx2', 'http.client', 'pydantic_ai') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("wanted", "said"), [("anthropic", "No module named 'httpx2'"), ("bedrock/x", "needs pydantic-ai, which is not")]
)
def test_what_is_not_installed_is_said_before_the_first_request(tmp_path: Path, wanted: str, said: str) -> None:
    program = (
        "import sys; from pisces.places import Places; from pisces.models.choosing import chosen_model\n"
        "sys.meta_path.clear()  # nothing more is found\n"
        "try:\n"
        f"    chosen_model({wanted!r}, Places({str(tmp_path)!r}, {str(tmp_path)!r}, {{'ANTHROPIC_API_KEY': 'k'}}))\n"
        "except Exception as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said in done.stdout


def test_a_choice_makes_a_model_with_the_same_facts(tmp_path: Path) -> None:
    places = places_in(tmp_path, ANTHROPIC_API_KEY="k")
    choice = choice_of("opus", places)
    assert choice is not None
    assert model_of(choice, places).facts == choice.facts
