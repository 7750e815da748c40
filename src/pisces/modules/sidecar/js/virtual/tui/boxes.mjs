// Components that hold text or other components: `render(width)` gives lines, none wider than `width`.

import { applyBackgroundToLine, truncateToWidth, wrapTextWithAnsi } from "./wrap.mjs";
import { padded } from "./width.mjs";

export const CURSOR_MARKER = "\x1b_pi:c\x07";

/** A cursor that is drawn, for terminals whose own is hidden. */
export const renderFakeCursor = (character = " ") => `\x1b[7m${character}\x1b[27m`;

export const isFocusable = (component) => component !== null && component !== undefined && "focused" in component;

const blank = (width) => " ".repeat(Math.max(0, width));
const repeated = (line, count) => Array.from({ length: Math.max(0, count) }, () => line);

export class Text {
  constructor(text = "", paddingX = 1, paddingY = 1, customBgFn = undefined) {
    Object.assign(this, { text, paddingX, paddingY, customBgFn });
    this.invalidate();
  }

  setText(text) {
    this.text = text;
    this.invalidate();
  }

  setCustomBgFn(customBgFn) {
    this.customBgFn = customBgFn;
    this.invalidate();
  }

  invalidate() {
    this.drawn = undefined;
  }

  render(width) {
    if (this.drawn?.text !== this.text || this.drawn?.width !== width) {
      this.drawn = { text: this.text, width, lines: this.#lines(width) };
    }
    return this.drawn.lines;
  }

  #lines(width) {
    const text = String(this.text ?? "");
    if (!text.trim()) return [];
    const margin = blank(Math.min(this.paddingX, Math.max(0, Math.floor((width - 1) / 2))));
    const inner = Math.max(1, width - 2 * margin.length);
    const lines = wrapTextWithAnsi(text.replaceAll("\t", "   "), inner).map((line) => margin + line + margin);
    const around = repeated("", this.paddingY);
    return [...around, ...lines, ...around].map((line) => this.#filled(line, width));
  }

  #filled(line, width) {
    return this.customBgFn ? applyBackgroundToLine(line, width, this.customBgFn) : padded(line, width);
  }
}

/** One line of text, cut where it does not fit. */
export class TruncatedText {
  constructor(text, paddingX = 0, paddingY = 0) {
    Object.assign(this, { text, paddingX, paddingY });
  }

  setText(text) {
    this.text = text;
  }

  invalidate() {}

  render(width) {
    const margin = blank(this.paddingX);
    const line = truncateToWidth(this.text.split("\n")[0], Math.max(1, width - 2 * this.paddingX));
    const around = repeated(blank(width), this.paddingY);
    return [...around, padded(margin + line + margin, width), ...around];
  }
}

export class Spacer {
  constructor(lines = 1) {
    this.lines = lines;
  }

  setLines(lines) {
    this.lines = lines;
  }

  invalidate() {}

  render() {
    return repeated("", this.lines);
  }
}

export class Container {
  constructor() {
    this.children = [];
  }

  addChild(component) {
    this.children.push(component);
  }

  removeChild(component) {
    const at = this.children.indexOf(component);
    if (at >= 0) this.children.splice(at, 1);
  }

  clear() {
    this.children = [];
  }

  invalidate() {
    for (const child of this.children) child.invalidate?.();
  }

  render(width) {
    return this.children.flatMap((child) => child.render(width));
  }
}

/** A container with padding and a background. */
export class Box extends Container {
  constructor(paddingX = 1, paddingY = 1, bgFn = undefined) {
    super();
    Object.assign(this, { paddingX, paddingY, bgFn });
  }

  setBgFn(bgFn) {
    this.bgFn = bgFn;
  }

  render(width) {
    if (!this.children.length) return [];
    const lines = super.render(Math.max(1, width - 2 * this.paddingX)).map((line) => blank(this.paddingX) + line);
    if (!lines.length) return [];
    const around = repeated("", this.paddingY);
    return [...around, ...lines, ...around].map((line) => this.#filled(line, width));
  }

  #filled(line, width) {
    return this.bgFn ? applyBackgroundToLine(line, width, this.bgFn) : padded(line, width);
  }
}

/** Components above each other; sizes given with a child are ignored, as the host draws lines only. */
export class VStack extends Container {
  constructor(children = []) {
    super();
    for (const child of Array.isArray(children) ? children : (children.children ?? [])) this.addChild(child.component ?? child);
  }
}

/** Components beside each other, each with the same share of the width. */
export class HStack extends VStack {
  render(width) {
    const share = Math.max(1, Math.floor(width / Math.max(1, this.children.length)));
    const columns = this.children.map((child) => child.render(share));
    const rows = Math.max(0, ...columns.map((lines) => lines.length));
    return Array.from({ length: rows }, (_, row) => columns.map((lines) => padded(lines[row] ?? "", share)).join(""));
  }
}

/** A component that may be clicked where there is a mouse; here it only draws. */
export class MouseRegion {
  constructor(child, handler) {
    Object.assign(this, { child, handler });
  }

  invalidate() {
    this.child.invalidate?.();
  }

  render(width) {
    return this.child.render(width);
  }

  handleInput(data) {
    this.child.handleInput?.(data);
  }
}

/** A window of fixed height over a longer component. */
export class ScrollView {
  constructor(child, options = {}) {
    Object.assign(this, { child, options, offset: 0 });
  }

  scrollTo(offset) {
    this.offset = Math.max(0, offset);
  }

  scrollBy(lines) {
    this.scrollTo(this.offset + lines);
  }

  invalidate() {
    this.child.invalidate?.();
  }

  render(width) {
    const lines = this.child.render(width);
    const height = this.options.height ?? this.options.maxHeight ?? lines.length;
    const from = Math.min(this.offset, Math.max(0, lines.length - height));
    return lines.slice(from, from + height);
  }
}
