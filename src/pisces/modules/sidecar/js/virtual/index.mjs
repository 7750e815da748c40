// The table of packages that extensions of pi and omp import from their host: specifier -> loader of its exports.
// One copy serves all three scopes, so that classes are the same whichever scope a module was written for.

import { namespaceOf } from "./namespace.mjs";

export { bind } from "./host_link.mjs";

const SCOPES = ["@oh-my-pi", "@mariozechner", "@earendil-works"];

const once = (load) => {
  let loaded;
  return () => (loaded ??= load());
};

const packaged = (name, load) => once(async () => {
  const [made, { default: names }] = await Promise.all([load(), import(`./names/${name}.mjs`)]);
  return namespaceOf(name.replace("_", "/"), made, names);
});

const agent = packaged("pi-coding-agent", () => import("./pi_coding_agent.mjs"));
const ai = packaged("pi-ai", () => import("./pi_ai.mjs"));
const oauth = packaged("pi-ai_oauth", () => import("./ai/oauth.mjs"));
const tui = packaged("pi-tui", () => import("./pi_tui.mjs"));
const core = packaged("pi-agent-core", () => import("./pi_agent_core.mjs"));
const natives = packaged("pi-natives", () => import("./pi_natives.mjs"));
const utils = packaged("pi-utils", () => import("./pi_utils.mjs"));

// Parts of a package that real extensions import by path. Each gives the whole package: more names than asked for do no harm.
const PARTS = {
  "pi-coding-agent": [agent, `hooks core/hooks core/extensions/types extensibility/extensions extensibility/extensions/types
    extensibility/hooks extensibility/custom-tools extensibility/custom-tools/types config config/settings config/model-registry
    session/session-manager session/messages modes/theme/theme modes/components tools tools/index tui dist/core/tools/index.js
    dist/core/extensions/types.js dist/config.js dist/index.js dist/core/session-manager.js dist/core/compaction/index.js
    dist/modes/interactive/theme/theme.js dist/modes/interactive/components/index.js dist/modes/interactive/components/diff.js
    dist/modes/interactive/components/keybinding-hints.js dist/core/tools/truncate.js dist/core/tools/edit-diff.js dist/core/keybindings.js`],
  "pi-ai": [ai, `compat models types anthropic google google-vertex mistral openai-completions openai-responses openai-codex-responses
    azure-openai-responses bedrock-provider stream utils/schema utils/uuid utils/estimate utils/retry utils/provider-env utils/event-stream utils/validation utils/overflow utils/typebox-helpers
    api/anthropic-messages api/openai-completions api/openai-responses api/google-generative-ai dist/index.js dist/types.js dist/models.js
    dist/utils/event-stream.js dist/utils/json-parse.js dist/providers/anthropic.js dist/providers/openai-completions.js
    dist/providers/openai-responses.js dist/providers/simple-options.js`],
  "pi-tui": [tui, `tui keys utils fuzzy keybindings autocomplete components/text components/box components/editor components/input
    components/markdown components/select-list components/settings-list components/loader components/spacer dist/index.js
    dist/tui.js dist/keys.js dist/utils.js dist/fuzzy.js dist/keybindings.js dist/components/editor.js dist/components/input.js
    dist/components/text.js dist/components/select-list.js dist/components/markdown.js dist/autocomplete.js`],
  "pi-agent-core": [core, "types node compaction dist/index.js dist/types.js"],
  "pi-natives": [natives, "clipboard vcs desktop"],
  "pi-utils": [utils, "logger dirs prompt env frontmatter format dist/index.js"],
};
const OAUTH_PARTS = ["oauth", "utils/oauth", "utils/oauth/types", "utils/oauth/index", "utils/oauth-page", "dist/oauth.js", "dist/utils/oauth/index.js", "dist/utils/oauth/types.js", "bun-oauth"];

const partOf = (file, name) => once(async () => (await import(file))[name]);
const typebox = (name) => partOf("./typebox.mjs", name);
const sinclair = (name) => partOf("./sinclair_typebox.mjs", name);

const typeboxNamed = once(async () => {
  const [{ root }, { default: names }] = await Promise.all([import("./typebox.mjs"), import("./names/typebox.mjs")]);
  return namespaceOf("typebox", root, names);
});
const sinclairNamed = once(async () => {
  const [{ root }, { default: names }] = await Promise.all([import("./sinclair_typebox.mjs"), import("./names/sinclair_typebox.mjs")]);
  return namespaceOf("@sinclair/typebox", root, names);
});

/** Read like an object or like a Map. */
class Table {
  has(specifier) {
    return Object.hasOwn(this, specifier);
  }

  get(specifier) {
    return this[specifier];
  }

  keys() {
    return Object.keys(this)[Symbol.iterator]();
  }
}

function tableOf() {
  const table = new Table();
  for (const scope of SCOPES) {
    for (const [name, [load, parts]] of Object.entries(PARTS)) {
      table[`${scope}/${name}`] = load;
      for (const part of parts.split(/\s+/)) table[`${scope}/${name}/${part}`] = load;
    }
    for (const part of OAUTH_PARTS) table[`${scope}/pi-ai/${part}`] = oauth;
  }
  return Object.assign(table, {
    typebox: typeboxNamed,
    "typebox/type": typeboxNamed,
    "typebox/value": typebox("value"),
    "typebox/compile": typebox("compile"),
    "@sinclair/typebox": sinclairNamed,
    "@sinclair/typebox/type": sinclairNamed,
    "@sinclair/typebox/value": sinclair("value"),
    "@sinclair/typebox/compiler": sinclair("compiler"),
    "@sinclair/typebox/compile": sinclair("compiler"),
  });
}

export const virtualModules = tableOf();
