// What an extension may ask of a screen that the host draws: children, focus, overlays and "draw again".

import { Container } from "./boxes.mjs";

/** A terminal that shows nothing; the host tells its size. */
export class ProcessTerminal {
  columns = 80;
  rows = 24;
  kittyProtocolActive = false;

  start() {}
  stop() {}
  write() {}
  hideCursor() {}
  showCursor() {}
  clearLine() {}
  clearScreen() {}
  clearFromCursor() {}
  moveBy() {}
  setTitle() {}
}

export class TUI extends Container {
  #listeners = new Set();
  #focused = null;
  #overlays = [];

  constructor(terminal = new ProcessTerminal(), onRender = () => {}) {
    super();
    this.terminal = terminal;
    this.onRender = typeof onRender === "function" ? onRender : () => {};
  }

  get fullRedraws() {
    return 0;
  }

  get focusedComponent() {
    return this.#focused;
  }

  start() {}
  stop() {}
  getShowHardwareCursor() { return false; }
  setShowHardwareCursor() {}
  getClearOnShrink() { return true; }
  setClearOnShrink() {}

  requestRender() {
    this.onRender();
  }

  setFocus(component) {
    if (this.#focused && "focused" in this.#focused) this.#focused.focused = false;
    this.#focused = component;
    if (component && "focused" in component) component.focused = true;
  }

  showOverlay(component, options = {}) {
    const overlay = { component, options, before: this.#focused, isHidden: false };
    this.#overlays.push(overlay);
    if (!options.nonCapturing) this.setFocus(component);
    this.requestRender();
    return this.#handle(overlay);
  }

  #handle(overlay) {
    const focusBack = () => this.setFocus(overlay.before);
    return {
      hide: () => this.#remove(overlay),
      setHidden: (isHidden) => {
        overlay.isHidden = isHidden;
        if (isHidden) focusBack();
        this.requestRender();
      },
      isHidden: () => overlay.isHidden,
      focus: () => this.setFocus(overlay.component),
      unfocus: focusBack,
      isFocused: () => this.#focused === overlay.component,
    };
  }

  #remove(overlay) {
    this.#overlays = this.#overlays.filter((each) => each !== overlay);
    if (this.#focused === overlay.component) this.setFocus(overlay.before);
    this.requestRender();
  }

  hideOverlay() {
    if (this.#overlays.length) this.#remove(this.#overlays.at(-1));
  }

  hasOverlay() {
    return this.#overlays.some((overlay) => !overlay.isHidden);
  }

  addInputListener(listener) {
    this.#listeners.add(listener);
    return () => this.removeInputListener(listener);
  }

  removeInputListener(listener) {
    this.#listeners.delete(listener);
  }

  handleInput(data) {
    for (const listener of this.#listeners) {
      const answer = listener(data);
      if (answer?.consume) return;
      data = answer?.data ?? data;
    }
    this.#focused?.handleInput?.(data);
  }

  render(width) {
    const shown = this.#overlays.filter((overlay) => !overlay.isHidden);
    return [...super.render(width), ...shown.flatMap((overlay) => overlay.component.render(width))];
  }
}

export class TuiMainScreen extends TUI {}
export class TuiAltScreen extends TUI {}
export const isViewportTUI = () => false;
