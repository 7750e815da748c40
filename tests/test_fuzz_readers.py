"""Whatever bytes are in whatever file: no reader raises, and what is found next to it stays found."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings, strategies as st

from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Run
from pisces.discovery.inventory import inspect
from pisces.discovery.registry import discover
from pisces.places import Places
from pisces.ui.inspection import inspection
from pisces.ui.json_text import json_text
from tests.test_bad_input import READ_BY_SOMEBODY, good_neighbour

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
KEYS = (
    "name version description mcpServers contextFileName settings themes excludeTools plan migratedTo hooks "
    "BeforeTool PreToolUse SessionStart matcher type command args env enabledPlugins plugins projects overrides "
    "good prompt rule toolName decision priority tools model kind url auth"
).split()
manifests = st.recursive(
    json_values,
    lambda inner: st.dictionaries(st.sampled_from(KEYS), inner, max_size=5) | st.lists(inner, max_size=3),
    max_leaves=25,
)
headers = st.dictionaries(st.sampled_from(KEYS), json_values, max_size=6).map(
    lambda fields: "---\n" + "\n".join(f"{key}: {json.dumps(value)}" for key, value in fields.items()) + "\n---\nbody"
)
tables = st.dictionaries(st.sampled_from(KEYS), st.text(max_size=8) | st.integers(), max_size=4).map(
    lambda fields: "[[rule]]\n" + "\n".join(f"{key} = {json.dumps(value)}" for key, value in fields.items())
)
contents = st.one_of(
    st.binary(max_size=200),
    manifests.map(lambda value: json.dumps(value).encode()),
    headers.map(lambda text: text.encode("utf-8", "surrogatepass")),
    tables.map(lambda text: text.encode("utf-8", "surrogatepass")),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(contents, min_size=len(READ_BY_SOMEBODY), max_size=len(READ_BY_SOMEBODY)))
@example([b'{"hooks": {"BeforeTool": [{"hooks": [{"type": ["command"]}]}]}}'] * len(READ_BY_SOMEBODY))
@example([b'{"mcpServers": {"a": {"command": ["x"], "args": 5}}}'] * len(READ_BY_SOMEBODY))
@example([b"---\nname: [a]\ndescription: {b: c}\ntools: {x: y}\n---\n"] * len(READ_BY_SOMEBODY))
def test_no_reader_raises_whatever_the_files_hold(files: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        good_neighbour(home)
        for name, content in zip(READ_BY_SOMEBODY, files, strict=True):
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        places, run = Places(str(home), str(home), {}), Run()
        for capability in CAPABILITIES:
            discovered = discover(capability, places, run=run)
            assert [each.message for each in discovered.diagnostics if each.code == "provider-failed"] == []
            if capability.id == "packages":
                assert "good" in [found.item.name for found in discovered.items]
        for each in inspect(str(home / ".gemini" / "extensions" / "good"), places):
            json_text(inspection(each, ["gemini"]))
