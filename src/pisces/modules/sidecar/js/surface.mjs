// Where components live that extensions draw with. A component stays here; the host asks for its lines at a width and
// sends it keys. What a component changes by itself is announced, never pushed, so that drawing is paid for when seen.
import { state } from "./state.mjs";
import { ProcessTerminal, TUI } from "./virtual/tui/screen.mjs";
import { send } from "./wire.mjs";

const shown = new Map();
let lastShown = 0;

/** The screen as a component sees it: its size, and a way to say that something has changed. */
export function screenFor(redraw) {
  const terminal = new ProcessTerminal();
  Object.defineProperties(terminal, { columns: { get: () => state.width }, rows: { get: () => state.height } });
  return new TUI(terminal, redraw);
}

export function show(component) {
  const id = ++lastShown;
  shown.set(id, component);
  if (component && "focused" in component) component.focused = true;
  return id;
}

export function changed(id) {
  if (shown.has(id)) send({ dirty: id });
}

export function close(id) {
  const component = shown.get(id);
  shown.delete(id);
  component?.dispose?.();
}

export function lines(id, width) {
  state.width = width;
  return linesOf(shown.get(id), width);
}

export function key(id, data) {
  shown.get(id)?.handleInput?.(data);
  changed(id);
}

/** A component, or lines, or a text: whatever an extension hands over, as lines. */
export function linesOf(drawn, width) {
  if (drawn === undefined || drawn === null) return null;
  if (typeof drawn === "string") return drawn.split("\n");
  if (Array.isArray(drawn)) return drawn.map(String);
  if (typeof drawn.render === "function") return Array.from(drawn.render(width), String);
  throw new TypeError("neither lines nor a component with render(width)");
}
