// ctx.ui: questions go to the host and wait for its answer, the rest is said one way.
import { state } from "./state.mjs";
import { changed, close, linesOf, screenFor, show } from "./surface.mjs";
import { theme } from "./virtual/agent/theme.mjs";
import { getKeybindings } from "./virtual/tui/keybindings.mjs";
import { ask, send, tell, trouble, unsupported } from "./wire.mjs";

const labelOf = (option) => (typeof option === "string" ? option : (option?.label ?? String(option)));
const seconds = (options) => (options?.timeout > 0 ? options.timeout / 1000 : null);

export function userInterface(extension) {
  const drawn = new Map(); // key of a widget -> how to take its component down
  return {
    get theme() { return theme; },
    timeoutStartsOnPresentation: false,
    ...questions(extension),
    notify: (message, level = "info") => tell("ui.notify", extension, { message: String(message), level }),
    setStatus: (key, text) => tell("ui.status", extension, { key, text: text ?? null }),
    setTitle: (title) => tell("ui.title", extension, { title: String(title) }),
    setWorkingMessage: (message) => tell("ui.working", extension, { message: message ?? null }),
    setWidget: (key, content, options) => widget(extension, drawn, key, content, options?.placement ?? "aboveEditor"),
    setFooter: (factory) => widget(extension, drawn, "footer", factory, "footer"),
    setHeader: (factory) => widget(extension, drawn, "header", factory, "header"),
    setEditorText(text) {
      state.editorText = String(text);
      tell("ui.set_editor_text", extension, { text: state.editorText });
    },
    pasteToEditor(text) {
      this.setEditorText(state.editorText + text);
    },
    getEditorText: () => state.editorText,
    ...withoutEffect(extension),
  };
}

function questions(extension) {
  return {
    async select(title, options, more) {
      const labels = Array.from(options, labelOf);
      return (await ask("ui.select", extension, { title, options: labels, timeout: seconds(more) }, more?.signal)) ?? undefined;
    },
    async confirm(title, message = "", more = undefined) {
      return (await ask("ui.confirm", extension, { title, message, timeout: seconds(more) }, more?.signal)) ?? false;
    },
    async input(title, placeholder = "", more = undefined) {
      return (await ask("ui.input", extension, { title, placeholder, timeout: seconds(more) }, more?.signal)) ?? undefined;
    },
    async editor(title, text = "", more = undefined) {
      return (await ask("ui.editor", extension, { title, text }, more?.signal)) ?? undefined;
    },
    custom: (factory, options) => custom(extension, factory, options),
  };
}

/** The component is asked for its lines and given keys by the host, until it is done or the host takes it away. */
async function custom(extension, factory, options = {}) {
  if (!state.hasUI) return undefined;
  let id = 0;
  let finish;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  const done = (result) => {
    finish(result);
    if (id) send({ finished: id, value: safely(result) });
  };
  let isDoneEarly = true;
  const early = finished.then(() => isDoneEarly);
  const component = await factory(screenFor(() => changed(id)), theme, getKeybindings(), done);
  const isOver = await Promise.race([early, Promise.resolve(false)]);
  isDoneEarly = false;
  if (isOver) return finished;
  id = show(component);
  const overlay = typeof options.overlayOptions === "function" ? options.overlayOptions() : options.overlayOptions;
  options.onHandle?.({ hide: () => done(undefined), setHidden: () => {}, isHidden: () => false, focus: () => {}, unfocus: () => {}, isFocused: () => true });
  const dismissed = ask("ui.custom", extension, { component: id, overlay: Boolean(options.overlay), placement: safely(overlay) ?? {} });
  try {
    return await Promise.race([finished, dismissed.then((value) => value ?? undefined)]);
  } finally {
    close(id);
  }
}

function safely(value) {
  try {
    return value === undefined ? null : JSON.parse(JSON.stringify(value));
  } catch {
    return null;
  }
}

/** Lines are passed on. A component is drawn here, at the width of the screen, whenever it says that it has changed. */
function widget(extension, drawn, key, content, placement) {
  drawn.get(key)?.();
  drawn.delete(key);
  const put = (lines) => tell("ui.widget", extension, { key, lines, placement });
  if (typeof content !== "function") {
    put(content === undefined || content === null ? null : linesOf(content, state.width));
    return;
  }
  let component;
  let isWaiting = false;
  const draw = () => {
    isWaiting = false;
    if (!drawn.has(key)) return;
    try {
      put(linesOf(component, state.width));
    } catch (error) {
      trouble("failed", extension, `widget \`${key}\`: ${error.message}`);
    }
  };
  const redraw = () => {
    if (!component || isWaiting) return;
    isWaiting = true;
    setTimeout(draw, 16);
  };
  drawn.set(key, () => component?.dispose?.());
  component = content(screenFor(redraw), theme, footerFacts);
  draw();
}

const footerFacts = {
  getGitBranch: () => state.gitBranch ?? null,
  getExtensionStatuses: () => new Map(Object.entries(state.statuses ?? {})),
  getAvailableProviderCount: () => state.models.length,
  onBranchChange: () => () => {},
};

function withoutEffect(extension) {
  const not = (name, instead, answer = undefined) => () => {
    unsupported(extension, `ctx.ui.${name}`, instead);
    return answer;
  };
  const screen = "the host draws that part of the screen";
  return {
    setEditorComponent: not("setEditorComponent", "the host's own editor stays; use ctx.ui.custom for a screen of your own"),
    getEditorComponent: () => undefined,
    onTerminalInput: not("onTerminalInput", "keys go to the host first; use pi.registerShortcut", () => {}),
    addAutocompleteProvider: not("addAutocompleteProvider", "use getArgumentCompletions of pi.registerCommand"),
    setWorkingVisible: not("setWorkingVisible", screen),
    setWorkingIndicator: not("setWorkingIndicator", screen),
    setHiddenThinkingLabel: not("setHiddenThinkingLabel", screen),
    setToolsExpanded: not("setToolsExpanded", screen),
    getToolsExpanded: () => false,
    getAllThemes: () => [{ name: theme.name, path: undefined }],
    getTheme: (name) => (name === theme.name ? theme : undefined),
    setTheme: not("setTheme", "colours are those of the user's terminal", { success: false, error: "pisces has one theme" }),
  };
}
