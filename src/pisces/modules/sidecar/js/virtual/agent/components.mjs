// Components of the agent's own screen that extensions use or extend.

import { Container, Spacer, Text } from "../tui/boxes.mjs";
import { Editor } from "../tui/editor.mjs";
import { Input } from "../tui/input.mjs";
import { getKeybindings } from "../tui/keybindings.mjs";
import { SelectList } from "../tui/lists.mjs";
import { CancellableLoader, Loader } from "../tui/loader.mjs";
import { Markdown } from "../tui/markdown.mjs";
import { getEditorTheme, getMarkdownTheme, getSelectListTheme, theme } from "./theme.mjs";
import { Box } from "../tui/boxes.mjs";

export const keyText = (binding) => getKeybindings().getKeys(binding).join("/");
export const keyDisplayText = keyText;
export const formatKeyText = (key, options = {}) => (options.capitalize ? key.replace(/(^|\+)(\w)/g, (_, before, letter) => before + letter.toUpperCase()) : key);
export const rawKeyHint = (key, description) => theme.fg("dim", key) + theme.fg("muted", ` ${description}`);
export const keyHint = (binding, description) => rawKeyHint(keyText(binding), description);

/** A line as wide as the screen. */
export class DynamicBorder {
  constructor(color = (text) => theme.fg("border", text)) {
    this.color = color;
  }

  invalidate() {}

  render(width) {
    return [this.color("─".repeat(Math.max(1, width)))];
  }
}

export class BorderedLoader extends Container {
  constructor(tui, given, message, options = {}) {
    super();
    const border = (text) => given.fg("border", text);
    const paints = [(text) => given.fg("accent", text), (text) => given.fg("muted", text)];
    this.cancellable = options.cancellable ?? true;
    this.loader = this.cancellable ? new CancellableLoader(tui, ...paints, message) : new Loader(tui, ...paints, message);
    this.controller = new AbortController();
    this.addChild(new DynamicBorder(border));
    this.addChild(this.loader);
    if (this.cancellable) {
      this.addChild(new Spacer(1));
      this.addChild(new Text(keyHint("tui.select.cancel", "cancel"), 1, 0));
    }
    this.addChild(new Spacer(1));
    this.addChild(new DynamicBorder(border));
  }

  get signal() {
    return this.loader.signal ?? this.controller.signal;
  }

  set onAbort(act) {
    this.loader.onAbort = act;
  }

  setMessage(message) {
    this.loader.setMessage(message);
  }

  handleInput(data) {
    this.loader.handleInput?.(data);
  }

  dispose() {
    this.loader.stop();
  }
}

/** The editor with the agent's own keys before those of the text. */
export class CustomEditor extends Editor {
  actionHandlers = new Map();

  constructor(tui, given, keybindings = getKeybindings(), options = {}) {
    super(tui, given ?? getEditorTheme(), options);
    this.keybindings = keybindings;
  }

  onAction(action, handler) {
    this.actionHandlers.set(action, handler);
  }

  handleInput(data) {
    if (this.onExtensionShortcut?.(data)) return;
    const matches = (action) => this.keybindings.matches(data, action);
    if (matches("app.clipboard.pasteImage") && this.onPasteImage) return void this.onPasteImage();
    if (matches("app.interrupt") && !this.isShowingAutocomplete() && this.#run("app.interrupt", this.onEscape)) return;
    if (matches("app.exit") && !this.getText() && this.#run("app.exit", this.onCtrlD)) return;
    for (const [action, handler] of this.actionHandlers) {
      if (action !== "app.interrupt" && action !== "app.exit" && matches(action)) return void handler();
    }
    super.handleInput(data);
  }

  #run(action, given) {
    const handler = given ?? this.actionHandlers.get(action);
    handler?.();
    return Boolean(handler);
  }
}

/** The last lines of a text as they are drawn, and how many came before them. */
export function truncateToVisualLines(text, maxVisualLines, width, paddingX = 0) {
  const lines = text ? new Text(text, paddingX, 0).render(width) : [];
  const skippedCount = Math.max(0, lines.length - maxVisualLines);
  return { visualLines: lines.slice(skippedCount), skippedCount };
}

/** A diff with line numbers, in the colours of added, removed and kept lines. */
export function renderDiff(diff) {
  const colour = (line) => (line.startsWith("+") ? "toolDiffAdded" : line.startsWith("-") ? "toolDiffRemoved" : "toolDiffContext");
  return diff.split("\n").map((line) => theme.fg(colour(line), line.replaceAll("\t", "   "))).join("\n");
}

/** A titled list between two borders. */
export class ExtensionSelectorComponent extends Container {
  constructor(title, options, onSelect, onCancel) {
    super();
    const items = options.map((option) => (typeof option === "string" ? { value: option, label: option } : option));
    this.list = new SelectList(items, 10, getSelectListTheme());
    this.list.onSelect = (item) => onSelect(item.value);
    this.list.onCancel = onCancel;
    for (const child of [new DynamicBorder(), new Text(theme.fg("accent", title), 1, 0), this.list, new DynamicBorder()]) this.addChild(child);
  }

  handleInput(data) {
    this.list.handleInput(data);
  }

  dispose() {}
}

export class ExtensionInputComponent extends Container {
  constructor(title, _placeholder, onSubmit, onCancel) {
    super();
    this.input = new Input();
    this.input.onSubmit = onSubmit;
    this.input.onEscape = onCancel;
    for (const child of [new DynamicBorder(), new Text(theme.fg("accent", title), 1, 0), this.input, new DynamicBorder()]) this.addChild(child);
  }

  handleInput(data) {
    this.input.handleInput(data);
  }

  dispose() {}
}

export class ExtensionEditorComponent extends Container {
  constructor(tui, _keybindings, title, prefill, onSubmit, onCancel) {
    super();
    this.editor = new Editor(tui, getEditorTheme());
    this.editor.setText(prefill ?? "");
    this.editor.onSubmit = onSubmit;
    this.onCancel = onCancel;
    for (const child of [new DynamicBorder(), new Text(theme.fg("accent", title), 1, 0), this.editor]) this.addChild(child);
  }

  handleInput(data) {
    if (getKeybindings().matches(data, "tui.select.cancel")) this.onCancel?.();
    else this.editor.handleInput(data);
  }
}

const textOf = (content) => (typeof content === "string" ? content : (content ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n"));

/** A message drawn as Markdown, on the background of whoever said it. */
class MessageComponent extends Container {
  constructor(text, background = undefined) {
    super();
    const paint = background ? (line) => theme.bg(background, line) : undefined;
    const box = new Box(1, background ? 1 : 0, paint);
    box.addChild(new Markdown(text, 0, 0, getMarkdownTheme()));
    this.addChild(box);
  }

  setExpanded() {}
}

export class UserMessageComponent extends MessageComponent {
  constructor(text) { super(textOf(text), "userMessageBg"); }
}
export class AssistantMessageComponent extends MessageComponent {
  constructor(message) { super(textOf(message?.content)); }
  updateContent(message) { this.children = new MessageComponent(textOf(message?.content)).children; }
}
export class CustomMessageComponent extends MessageComponent {
  constructor(message) { super(textOf(message.content), "customMessageBg"); }
}
export class BranchSummaryMessageComponent extends MessageComponent {
  constructor(message) { super(`**Branch summary**\n\n${message.summary}`, "customMessageBg"); }
}
export class CompactionSummaryMessageComponent extends MessageComponent {
  constructor(message) { super(`**Compacted**\n\n${message.summary}`, "customMessageBg"); }
}
export class SkillInvocationMessageComponent extends MessageComponent {
  constructor(block) { super(`**${block.name}**\n\n${block.content ?? ""}`, "customMessageBg"); }
}
