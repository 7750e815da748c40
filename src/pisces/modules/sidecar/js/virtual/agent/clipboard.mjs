// Text into the user's clipboard, by the program that the system has for it.

import { spawn } from "node:child_process";

const PROGRAMS = {
  darwin: [["pbcopy"]],
  win32: [["clip"]],
  linux: [["wl-copy"], ["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"], ["termux-clipboard-set"]],
};

const given = ([program, ...args], text) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
    child.stdin.on("error", () => resolve(false));
    child.stdin.end(text);
  });

export async function copyToClipboard(text) {
  for (const program of PROGRAMS[process.platform] ?? PROGRAMS.linux) if (await given(program, text)) return;
  throw new Error("Failed to copy to clipboard: no program for it was found");
}
