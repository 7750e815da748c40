// As much of VS Code as our extension needs, with a person at it who is told what to do by JSON lines on stdin.
// `node fake_vscode.cjs EXTENSION_FOLDER WORKSPACE COMMAND...`: the words of COMMAND start pisces.
"use strict";

const fs = require("fs");
const Module = require("module");
const path = require("path");
const readline = require("readline");

const [folder, workspaceFolder, ...command] = process.argv.slice(2);
const events = {};
const on = (name) => (act) => {
  (events[name] = events[name] || []).push(act);
  return { dispose() {} };
};
const fire = (name, event) => (events[name] || []).forEach((act) => act(event));

class Uri {
  constructor({ scheme, path: at, query = "" }) {
    Object.assign(this, { scheme, path: at, query });
  }
  static from(parts) {
    return new Uri(parts);
  }
  static file(name) {
    return new Uri({ scheme: "file", path: name });
  }
  get fsPath() {
    return this.path;
  }
  toString() {
    return `${this.scheme}:${encodeURI(this.path)}${this.query && `?${this.query}`}`;
  }
}

// A text document makes all ends of lines the same and hides the byte order mark, as the real one does.
class Document {
  constructor(uri, bytes) {
    Object.assign(this, { uri, isDirty: false });
    const text = bytes.toString().replace(/^\ufeff/, "");
    const dos = (text.match(/\r\n/g) || []).length > (text.match(/(?<!\r)\n/g) || []).length;
    this.text = text.replace(/\r?\n/g, dos ? "\r\n" : "\n");
  }
  getText(range) {
    return range ? this.text.split(/(?<=\n)/).slice(range.start.line, range.end.line).join("") : this.text;
  }
  async save(reason = 1) {
    fire("willSave", { document: this, reason });
    await providers[this.uri.scheme].writeFile(this.uri, Buffer.from(`\ufeff${this.text}`));
    this.isDirty = false;
    fire("didSave", this);
    return true;
  }
}

const providers = {};
const commands = {};
const variables = {};
const warnings = [];
const group = { tabs: [] };
const documents = [];
let focus = "";

const vscode = {
  Uri,
  FileType: { File: 1 },
  FileSystemError: { FileNotFound: (uri) => new Error(`no ${uri}`), NoPermissions: (uri) => new Error(`not ${uri}`) },
  EventEmitter: class {
    constructor() {
      this.event = () => ({ dispose() {} });
    }
  },
  Disposable: class {},
  env: { appName: "Visual Studio Code" },
  window: {
    activeTextEditor: undefined,
    createOutputChannel: () => ({ append: (text) => warnings.push(text), appendLine: (text) => warnings.push(text) }),
    showWarningMessage: async (text) => void warnings.push(text),
    onDidChangeActiveTextEditor: on("active"),
    onDidChangeTextEditorSelection: on("selection"),
    tabGroups: {
      all: [group],
      onDidChangeTabs: on("tabs"),
      async close(tabs) {
        group.tabs = group.tabs.filter((tab) => !tabs.includes(tab));
        tabs.forEach((tab) => documents.splice(documents.findIndex((each) => each.uri === tab.input.modified), 1));
        if (tabs.length) fire("tabs", { opened: [], closed: tabs, changed: [] });
        return true;
      },
    },
  },
  workspace: {
    isTrusted: true,
    textDocuments: documents,
    workspaceFolders: [{ uri: Uri.file(workspaceFolder) }],
    fs: { stat: (uri) => fs.promises.stat(uri.fsPath) },
    getConfiguration: () => ({ get: () => command }),
    registerFileSystemProvider: (scheme, provider) => void (providers[scheme] = provider),
    onWillSaveTextDocument: on("willSave"),
    onDidSaveTextDocument: on("didSave"),
    onDidRenameFiles: on("rename"),
    onDidDeleteFiles: on("delete"),
    onDidChangeWorkspaceFolders: on("folders"),
    onDidGrantWorkspaceTrust: on("trust"),
  },
  commands: {
    registerCommand: (name, act) => void (commands[name] = act),
    async executeCommand(name, ...given) {
      if (name !== "vscode.diff") return commands[name] && commands[name](...given);
      const [original, modified, title, options] = given;
      documents.push(new Document(modified, await providers[modified.scheme].readFile(modified)));
      const tab = { label: title, input: { original, modified } };
      group.tabs.push(tab);
      focus = options.preserveFocus ? focus : "diff";
      fire("tabs", { opened: [tab], closed: [], changed: [] });
    },
  },
};

const diffTab = () => group.tabs.find((tab) => tab.input.modified);
const shown = () => documents.find((each) => each.uri === diffTab().input.modified);
const read = (uri) => (uri.scheme === "file" ? fs.readFileSync(uri.fsPath) : providers[uri.scheme].readFile(uri));
const select = (line, character, toLine = line) => {
  const [start, end, active] = [{ line, character }, { line: toLine }, { line: toLine, character: line === toLine ? character : 0 }];
  vscode.window.activeTextEditor.selection = { start, end, active, isEmpty: line === toLine };
  fire("selection", { textEditor: vscode.window.activeTextEditor });
};

const person = {
  edit({ path: name }) {
    const uri = Uri.file(name);
    if (!group.tabs.some((tab) => tab.input.uri && tab.input.uri.fsPath === name)) {
      group.tabs.push({ label: path.basename(name), input: { uri } });
      fire("tabs", { opened: group.tabs.slice(-1), closed: [], changed: [] });
    }
    const selection = { active: { line: 0, character: 0 }, isEmpty: true };
    vscode.window.activeTextEditor = { document: new Document(uri, fs.readFileSync(name)), selection };
    fire("active", vscode.window.activeTextEditor);
  },
  move: ({ line, character }) => select(line - 1, character - 1),
  select: ({ lines }) => select(0, 0, lines),
  rename({ path: name, to }) {
    fs.renameSync(name, to);
    group.tabs.find((tab) => tab.input.uri && tab.input.uri.fsPath === name).input.uri = Uri.file(to);
    fire("rename", { files: [{ oldUri: Uri.file(name), newUri: Uri.file(to) }] });
    fire("tabs", { opened: [], closed: [], changed: [] });
  },
  close: ({ path: name }) => vscode.window.tabGroups.close(group.tabs.filter((tab) => tab.input.uri && tab.input.uri.fsPath === name)),
  diff() {
    const tab = diffTab();
    return tab ? [String(read(tab.input.original)).replace(/^\ufeff/, ""), shown().getText()] : null;
  },
  focused: () => focus,
  replace: ({ text }) => void Object.assign(shown(), { text, isDirty: true }),
  command: ({ name }) => vscode.commands.executeCommand(name),
  save: ({ reason }) => shown().save(reason),
  dismiss: () => vscode.window.tabGroups.close([diffTab()]),
  variables: () => variables,
  warnings: () => warnings,
  folders({ paths }) {
    vscode.workspace.workspaceFolders = paths.map((each) => ({ uri: Uri.file(each) }));
    fire("folders", {});
  },
};

const resolve = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : resolve(name, ...rest));
const extension = require(path.resolve(folder, require(path.resolve(folder, "package.json")).main));
const collection = {
  replace: (name, value) => void (variables[name] = value),
  clear: () => Object.keys(variables).forEach((name) => delete variables[name]),
};
extension.activate({ subscriptions: [], environmentVariableCollection: collection });

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const asked = JSON.parse(line);
  const answer = await person[asked.do](asked);
  process.stdout.write(`${JSON.stringify(answer === undefined ? null : answer)}\n`);
});
lines.on("close", async () => {
  await extension.deactivate();
  process.exit(0);
});
