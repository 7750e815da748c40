// Proposed changes as diffs: on the left the file, on the right what the agent wants, in a document that exists only in memory.
// Nothing is written to the file here: the agent does that when the change was accepted.
"use strict";

const path = require("path");
const vscode = require("vscode");

const SCHEME = "pisces-diff";
const MARK = "\ufeff";
const MANUAL = 1; // TextDocumentSaveReason.Manual: not a save after a delay, which decides nothing

exports.Diffs = class {
  constructor(send) {
    this.send = send;
    this.views = new Map(); // by path
    this.files = new Memory();
    this.count = 0;
  }

  registered() {
    const saved = (document) => {
      const view = this.viewOf(document.uri);
      if (view && view.isSavedByHand) {
        this.accept(view);
      }
    };
    return [
      vscode.workspace.registerFileSystemProvider(SCHEME, this.files, { isCaseSensitive: true }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        const view = this.viewOf(event.document.uri);
        if (view) {
          view.isSavedByHand = event.reason === MANUAL && !view.isClosing;
        }
      }),
      vscode.workspace.onDidSaveTextDocument(saved),
      vscode.window.tabGroups.onDidChangeTabs((event) =>
        event.closed.map((tab) => this.viewOf(right(tab))).forEach((view) => view && this.reject(view)),
      ),
    ];
  }

  async open(file, content) {
    await this.close(file);
    const number = ++this.count;
    const at = (side) => vscode.Uri.from({ scheme: SCHEME, path: slashed(file), query: `${side}${number}` });
    const view = { file, content, uri: at("proposed"), left: vscode.Uri.file(file) };
    this.files.put(view.uri, content);
    if (!(await exists(view.left))) {
      view.left = at("empty");
      this.files.put(view.left, "");
    }
    this.views.set(file, view);
    this.mark();
    const title = `${path.basename(file)} ↔ proposed`;
    try {
      await vscode.commands.executeCommand("vscode.diff", view.left, view.uri, title, { preview: false, preserveFocus: true });
    } catch (error) {
      await this.remove(view);
      throw error;
    }
  }

  /** The text as it is now; undefined without such a diff. */
  async close(file) {
    const view = this.views.get(file);
    if (!view) {
      return undefined;
    }
    const text = this.textOf(view);
    await this.remove(view);
    return text;
  }

  /** Tabs that came back with the window; what they showed is gone. */
  closeOld() {
    const isOurs = (tab) => right(tab) && right(tab).scheme === SCHEME && !this.viewOf(right(tab));
    return vscode.window.tabGroups.close(allTabs().filter(isOurs), true);
  }

  closeAll() {
    return Promise.all([...this.views.keys()].map((file) => this.close(file)));
  }

  async accept(given) {
    const view = given || this.chosen();
    if (view && this.views.get(view.file) === view) {
      this.send({ do: "accept", path: view.file, content: this.textOf(view) });
      await this.remove(view);
    }
  }

  async reject(given) {
    const view = given || this.chosen();
    if (view && this.views.get(view.file) === view) {
      this.send({ do: "reject", path: view.file });
      await this.remove(view);
    }
  }

  /** The one that has the focus, else the one opened last. */
  chosen() {
    const editor = vscode.window.activeTextEditor;
    return (editor && this.viewOf(editor.document.uri)) || [...this.views.values()].pop();
  }

  viewOf(uri) {
    return uri && uri.scheme === SCHEME ? [...this.views.values()].find((each) => isSame(each.uri, uri)) : undefined;
  }

  /** An editor makes the ends of all lines the same, and hides a byte order mark: what nobody touched stays as it was. */
  textOf(view) {
    const document = vscode.workspace.textDocuments.find((each) => isSame(each.uri, view.uri));
    const text = document ? document.getText() : this.files.text(view.uri);
    const mark = view.content.startsWith(MARK) ? MARK : "";
    return plain(mark + text) === plain(view.content) ? view.content : mark + text;
  }

  /** Whatever was typed is saved to memory first, or closing the tab would ask. */
  async remove(view) {
    this.views.delete(view.file);
    view.isClosing = true;
    this.mark();
    const document = vscode.workspace.textDocuments.find((each) => isSame(each.uri, view.uri));
    if (document && document.isDirty) {
      await document.save();
    }
    await vscode.window.tabGroups.close(allTabs().filter((tab) => isSame(right(tab), view.uri)), true);
    [view.uri, view.left].forEach((uri) => this.files.drop(uri));
  }

  mark() {
    vscode.commands.executeCommand("setContext", "pisces.hasDiff", this.views.size > 0);
  }
};

/** A file system of a few texts, so that a proposal can be edited and saved like any file. */
class Memory {
  constructor() {
    this.texts = new Map();
    this.changed = new vscode.EventEmitter();
    this.onDidChangeFile = this.changed.event;
  }

  put(uri, text) {
    this.set(uri, Buffer.from(MARK + text.replace(/^\ufeff/, ""))); // the mark says UTF-8, whatever the user's encoding is
  }

  set(uri, bytes) {
    this.texts.set(uri.toString(), { bytes, mtime: Date.now() });
  }

  find(uri) {
    const found = this.texts.get(uri.toString());
    if (!found) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return found;
  }

  drop(uri) {
    this.texts.delete(uri.toString());
  }

  text(uri) {
    return String(this.readFile(uri)).replace(/^\ufeff/, "");
  }

  readFile(uri) {
    return this.find(uri).bytes;
  }

  writeFile(uri, bytes) {
    this.find(uri);
    this.set(uri, Buffer.from(bytes));
  }

  stat(uri) {
    const { bytes, mtime } = this.find(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length };
  }

  watch() {
    return new vscode.Disposable(() => {});
  }

  readDirectory() {
    return [];
  }

  createDirectory(uri) {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri) {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri) {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

const plain = (text) => text.replace(/\r\n/g, "\n");
const isSame = (one, other) => Boolean(one && other) && one.toString() === other.toString();
const allTabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const right = (tab) => tab.input && tab.input.modified;
const slashed = (file) => vscode.Uri.file(file).path;
const exists = (uri) =>
  vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
