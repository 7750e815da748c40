"""Who answers over HTTP: one row each, in the order in which their keys are looked for. Facts of November 2026."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.places import Places

_CHAT = "openai_chat"
_RESPONSES = "openai_responses"

# What settings call a wire format, and the file that has it.
WIRES: Mapping[str, str] = {
    "anthropic": "anthropic",
    "google": "gemini",
    "openai-chat": _CHAT,
    "openai-responses": _RESPONSES,
}


# Variables whose value is sent as a bearer, also where a wire format has a header of its own for keys.
BEARERS = frozenset(("ANTHROPIC_AUTH_TOKEN",))


class ModelProvider(Value):
    """`keys` and `urls` are names of variables, the first that is set counts. `default` is the model that is used where
    none was named. Names of its models begin with one of `families`. `own_wire` is spoken at `url` only: at an address
    of the user's own it is `wire`, which every server of that kind understands.
    """

    id: str
    wire: str
    url: str
    keys: tuple[str, ...]
    urls: tuple[str, ...]
    default: str
    families: tuple[str, ...] = ()
    own_wire: str = ""

    def wire_at(self, url: str) -> str:
        return self.own_wire if self.own_wire and url.rstrip("/") == self.url else self.wire


class LocalServer(Value):
    """A program on this machine that speaks chat completions. `variable` may name another address."""

    id: str
    url: str
    variable: str = ""


def _chat(name: str, url: str, key: str, default: str, families: tuple[str, ...] = ()) -> ModelProvider:
    base = f"{key.removesuffix('_KEY').removesuffix('_API')}_BASE_URL"
    return ModelProvider(name, _CHAT, url, (key,), (base,), default, families)


PROVIDERS = (
    ModelProvider(
        "anthropic",
        "anthropic",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
        ("ANTHROPIC_BASE_URL",),
        "claude-sonnet-5-5",
        ("claude-",),
    ),
    ModelProvider(
        "google",
        "gemini",
        "https://generativelanguage.googleapis.com",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        ("GOOGLE_GEMINI_BASE_URL",),
        "gemini-3.8-flash",
        ("gemini-", "gemma-"),
    ),
    ModelProvider(
        "openai",
        _CHAT,
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        "gpt-6.1-sol",
        ("gpt-", "o1", "o3", "o4-", "codex-"),
        own_wire=_RESPONSES,
    ),
    _chat("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "anthropic/claude-sonnet-5.5"),
    _chat("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "openai/gpt-oss-120b"),
    _chat(
        "mistral",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        "mistral-large-latest",
        ("mistral-", "codestral-", "devstral-", "ministral-", "magistral-"),
    ),
    _chat("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", "deepseek-v4-pro", ("deepseek-",)),
    _chat("xai", "https://api.x.ai/v1", "XAI_API_KEY", "grok-4.7", ("grok-",)),
    _chat("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY", "openai/gpt-oss-120b"),
    _chat(
        "fireworks",
        "https://api.fireworks.ai/inference/v1",
        "FIREWORKS_API_KEY",
        "accounts/fireworks/models/gpt-oss-120b",
    ),
    _chat("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", "gpt-oss-120b"),
    _chat("moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", "kimi-k3.1-pro", ("kimi-", "moonshot-")),
)

# Asked one after the other only in what they answer: all get the same fraction of a second.
LOCAL = (
    LocalServer("ollama", "http://127.0.0.1:11434/v1", "OLLAMA_HOST"),
    LocalServer("lmstudio", "http://127.0.0.1:1234/v1"),
    LocalServer("vllm", "http://127.0.0.1:8000/v1"),
    LocalServer("llamacpp", "http://127.0.0.1:8080/v1"),
)

# Through pydantic-ai, which knows their addresses, keys and SDKs.
THROUGH_PYDANTIC_AI = (
    "alibaba",
    "azure",
    "bedrock",
    "cohere",
    "github",
    "google-cloud",
    "heroku",
    "huggingface",
    "litellm",
    "nebius",
    "ovhcloud",
    "sambanova",
    "snowflake",
    "vercel",
    "zai",
)

ALIASES: Mapping[str, str] = {
    "fable": "anthropic/claude-fable-5-1",
    "opus": "anthropic/claude-opus-5-5",
    "sonnet": "anthropic/claude-sonnet-5-5",
    "haiku": "anthropic/claude-haiku-5-5",
    "flash": "google/gemini-3.8-flash",
    "sol": "openai/gpt-6.1-sol",
    "terra": "openai/gpt-6.1-terra",
    "luna": "openai/gpt-6-luna",
}


def provider_called(name: str) -> ModelProvider | None:
    return next((each for each in PROVIDERS if each.id == name), None)


def provider_of(model: str) -> ModelProvider | None:
    """Whose model a bare name is."""
    return next((each for each in PROVIDERS if each.families and model.startswith(each.families)), None)


def first_set(names: tuple[str, ...], places: Places) -> str:
    """The first of these variables that has a value; empty where none has."""
    return next((name for name in names if places.env.get(name, "").strip()), "")
