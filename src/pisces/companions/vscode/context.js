// What the user looks at: tells which files are open, which one has the focus, where the cursor is and what is selected.
// Everything is told as it happens; `pisces ide serve` waits for the dust to settle and drops what is not on disk.
"use strict";

const vscode = require("vscode");
const { folders } = require("./server");

const MOST = 16384; // characters of a selection

exports.Context = class {
  constructor(send) {
    this.send = send;
    this.open = new Set();
  }

  registered() {
    const { window, workspace } = vscode;
    return [
      window.onDidChangeActiveTextEditor((editor) => this.look("focus", editor)),
      window.onDidChangeTextEditorSelection((event) => {
        if (event.textEditor === window.activeTextEditor) {
          this.look("select", event.textEditor);
        }
      }),
      window.tabGroups.onDidChangeTabs(() => this.compare()),
      workspace.onDidSaveTextDocument(() => this.look("select", window.activeTextEditor)), // on disk only now, perhaps
      workspace.onDidRenameFiles((event) =>
        event.files.forEach((each) => this.send({ do: "rename", path: each.oldUri.fsPath, to: each.newUri.fsPath })),
      ),
      workspace.onDidDeleteFiles((event) => event.files.forEach((uri) => this.send({ do: "close", path: uri.fsPath }))),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.send({ do: "workspace", paths: folders() });
        this.send({ do: "env" });
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.send({ do: "trust", isTrusted: true })),
    ];
  }

  /** For a companion that has just started. */
  tellAll() {
    this.send({ do: "trust", isTrusted: vscode.workspace.isTrusted });
    this.open = new Set();
    this.compare();
    this.look("focus", vscode.window.activeTextEditor);
  }

  /** A file is open while a tab shows it: its document may stay for minutes after that. */
  compare() {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const uris = tabs.map((tab) => tab.input && tab.input.uri).filter((uri) => uri && uri.scheme === "file");
    const now = new Set(uris.map((uri) => uri.fsPath));
    now.forEach((path) => this.open.has(path) || this.send({ do: "open", path }));
    this.open.forEach((path) => now.has(path) || this.send({ do: "close", path }));
    this.open = now;
  }

  /** A terminal, settings or a diff has the focus: what was looked at last stays. */
  look(what, editor) {
    if (!editor || editor.document.uri.scheme !== "file") {
      return;
    }
    const { document, selection } = editor;
    const told = { do: what, cursor: { line: selection.active.line + 1, character: selection.active.character + 1 } };
    if (what === "focus") {
      told.path = document.uri.fsPath;
    }
    if (!selection.isEmpty) {
      told.selectedText = document.getText(selection).slice(0, MOST);
    }
    this.send(told);
  }
};
