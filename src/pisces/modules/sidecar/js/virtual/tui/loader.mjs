// A line that says that something goes on, and one that Escape ends.

import { Text } from "./boxes.mjs";
import { getKeybindings } from "./keybindings.mjs";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MILLISECONDS = 80;

export class Loader extends Text {
  constructor(ui, spinnerColorFn, messageColorFn, message = "Loading...", indicator = undefined) {
    super("", 1, 0);
    Object.assign(this, { ui, spinnerColorFn, messageColorFn, message, frame: 0 });
    this.setIndicator(indicator);
  }

  setIndicator(indicator) {
    this.frames = indicator?.frames ?? FRAMES;
    this.paint = indicator?.frames ? (frame) => frame : this.spinnerColorFn;
    this.interval = indicator?.intervalMs ?? FRAME_MILLISECONDS;
    this.frame = 0;
    this.start();
  }

  start() {
    this.stop();
    this.#show();
    if (this.frames.length < 2) return;
    this.timer = setInterval(() => {
      this.frame = (this.frame + 1) % this.frames.length;
      this.#show();
    }, this.interval);
    this.timer.unref?.();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  setMessage(message) {
    this.message = message;
    this.#show();
  }

  #show() {
    const frame = this.frames[this.frame];
    this.setText((frame ? `${this.paint(frame)} ` : "") + this.messageColorFn(this.message));
    this.ui?.requestRender?.();
  }

  render(width) {
    return ["", ...super.render(width)];
  }
}

export class CancellableLoader extends Loader {
  abortController = new AbortController();

  get signal() {
    return this.abortController.signal;
  }

  get aborted() {
    return this.abortController.signal.aborted;
  }

  handleInput(data) {
    if (!getKeybindings().matches(data, "tui.select.cancel")) return;
    this.abortController.abort();
    this.onAbort?.();
  }

  dispose() {
    this.stop();
  }
}
