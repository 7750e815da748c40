// `pisces ide serve` as a child: one JSON object a line, in both directions.
"use strict";

const { spawn } = require("child_process");
const vscode = require("vscode");

const STOPPED_WITHIN = 2000; // milliseconds

exports.folders = () =>
  (vscode.workspace.workspaceFolders || []).filter((each) => each.uri.scheme === "file").map((each) => each.uri.fsPath);

exports.Server = class {
  /** `events` has a function for each event by name, and `ended`. */
  constructor(log, events) {
    this.log = log;
    this.events = events;
    this.child = undefined;
  }

  start() {
    if (this.child) {
      return;
    }
    const [program, ...words] = vscode.workspace.getConfiguration("pisces").get("command");
    const name = /^visual studio code|^code/i.test(vscode.env.appName) ? "vscode" : "vscodefork";
    words.push("ide", "serve", "--env", "--name", name, "--display-name", vscode.env.appName);
    words.push("--pid", String(process.ppid)); // above the extension host, and above the shells of its terminals
    exports.folders().forEach((folder) => words.push("--workspace", folder));
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    this.child = child;
    let rest = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      lines.forEach((line) => this.hear(line));
    });
    child.stderr.on("data", (text) => this.log.append(String(text)));
    child.stdin.on("error", () => {}); // it has gone, which `exit` tells
    child.on("error", (error) => this.ended(child, `cannot run \`${program}\`: ${error.message}`));
    child.on("exit", (code) => this.ended(child, `the companion ended with ${code}`));
  }

  send(message) {
    if (this.child && this.child.stdin.writable) {
      this.child.stdin.write(`${JSON.stringify(message)}\n`);
    }
  }

  hear(line) {
    const told = JSON.parse(line);
    const act = this.events[told.event];
    if (act) {
      act(told);
    }
  }

  ended(child, why) {
    if (this.child !== child) {
      return;
    }
    this.child = undefined;
    this.events.ended();
    if (!child.isStopping) {
      this.log.appendLine(why);
      const again = "Restart";
      vscode.window.showWarningMessage(`Pisces: ${why}`, again).then((chosen) => chosen === again && this.start());
    }
  }

  /** Done when the child and its file are gone. */
  stop() {
    const child = this.child;
    if (!child) {
      return Promise.resolve();
    }
    child.isStopping = true;
    return new Promise((done) => {
      const late = setTimeout(() => child.kill(), STOPPED_WITHIN);
      child.once("exit", () => {
        clearTimeout(late);
        done();
      });
      child.stdin.end('{"do":"stop"}\n');
    });
  }
};
