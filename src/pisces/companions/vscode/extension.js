// The companion of VS Code and its forks: runs `pisces ide serve`, which does the protocol, and talks to it in JSON lines.
"use strict";

const vscode = require("vscode");
const { Context } = require("./context");
const { Diffs } = require("./diffs");
const { Server } = require("./server");

let server;

exports.activate = (extension) => {
  const log = vscode.window.createOutputChannel("Pisces companion");
  const variables = extension.environmentVariableCollection;
  variables.persistent = false; // the next start has another port and another token
  const setVariables = (env) => Object.entries(env).forEach(([name, value]) => variables.replace(name, value));

  const send = (message) => server.send(message);
  const diffs = new Diffs(send);
  const context = new Context(send);
  server = new Server(log, {
    ready: (told) => {
      setVariables(told.env);
      context.tellAll();
    },
    env: (told) => setVariables(told.env),
    openDiff: (told) =>
      diffs.open(told.path, told.content).catch((error) => {
        log.appendLine(`a diff cannot be shown: ${error}`);
        send({ do: "abandon", path: told.path });
      }),
    closeDiff: async (told) => send({ do: "closed", id: told.id, content: await diffs.close(told.path) }),
    problem: (told) => log.appendLine(told.message),
    ended: () => {
      variables.clear();
      return diffs.closeAll();
    },
  });

  const restart = async () => {
    await server.stop();
    server.start();
  };
  const command = (name, act) => vscode.commands.registerCommand(`pisces.${name}`, act);
  extension.subscriptions.push(
    log,
    ...diffs.registered(),
    ...context.registered(),
    command("accept", () => diffs.accept()),
    command("reject", () => diffs.reject()),
    command("restart", restart),
  );
  diffs.closeOld();
  server.start();
};

exports.deactivate = () => server && server.stop();
