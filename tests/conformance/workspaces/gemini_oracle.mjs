// Asks an installed Gemini CLI what it loads in one workspace. Nothing of the workspace is run: programs but git cannot start.
//
//   node gemini_oracle.mjs prepare PACKAGE SCRATCH      once: PACKAGE is the npm package's folder, SCRATCH an empty one
//   node gemini_oracle.mjs ask SCRATCH                  in the workspace, with HOME set: one line of JSON
//
// The program keeps the paths of its home in constants, so that each workspace needs a process of its own. Most of its time
// is the import of the bundle.
import child from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [act, ...rest] = process.argv.slice(2);
if (act === 'prepare') prepare(...rest);
else await ask(rest[0]);
process.exit(0);

// The function that makes the configuration is not exported: a copy of its file does. File names change with every build,
// and there are several copies of everything; the right ones are those that the program's own entry leads to.
function prepare(packageFolder, scratch) {
  const bundle = path.resolve(packageFolder, 'bundle');
  const text = name => fs.readFileSync(path.join(bundle, name), 'utf8');
  const entry = text('gemini.js').match(/import\("\.\/(gemini-[A-Z0-9]+\.js)"\)/)[1];
  const main = text(entry);
  const imported = [...main.matchAll(/from "\.\/(chunk-[A-Z0-9]+\.js)"/g)].map(found => found[1]);
  const exporting = name => pathToFileURL(path.join(bundle, imported.find(file => exportsOf(text(file)).has(name)))).href;
  const absolute = main.replace(/(from |import |import\()"\.\//g, `$1"${pathToFileURL(bundle).href}/`);
  const at = absolute.lastIndexOf('\nexport {') + '\nexport {'.length;
  fs.writeFileSync(path.join(scratch, 'main.mjs'), `${absolute.slice(0, at)} loadCliConfig, ${absolute.slice(at)}`);
  const chunks = { commands: exporting('FileCommandLoader'), settings: exporting('loadSettings'), core: exporting('coreEvents') };
  fs.writeFileSync(path.join(scratch, 'chunks.json'), JSON.stringify(chunks));
}

function exportsOf(text) {
  const at = text.lastIndexOf('\nexport {');
  return new Set(at < 0 ? [] : text.slice(at).split(/[{},]/).map(each => each.trim().split(' as ').pop().trim()));
}

async function ask(scratch) {
  cage();
  const chunks = JSON.parse(fs.readFileSync(path.join(scratch, 'chunks.json'), 'utf8'));
  const messages = [];
  for (const level of ['log', 'warn', 'error', 'info', 'debug']) console[level] = (...words) => messages.push([level, words.map(String).join(' ')]);
  const verdict = {};
  try {
    await examine(await import(path.resolve(scratch, 'main.mjs')), chunks, verdict, messages);
  } catch (error) {
    verdict.refused = String(error.message);
  }
  verdict.messages = messages.filter(([level]) => level !== 'debug');
  fs.writeSync(1, JSON.stringify(verdict) + '\n');
}

function cage() {
  const { spawn } = child;
  child.spawn = (command, ...more) => {
    if (command !== 'git') throw new Error(`not started: ${command}`);
    return spawn(command, ...more);
  };
  syncBuiltinESMExports();
  globalThis.fetch = async () => { throw new Error('no network'); };
}

async function examine(main, chunks, verdict, messages) {
  const core = await import(chunks.core), { loadSettings } = await import(chunks.settings), cli = await import(chunks.commands);
  const waiting = [];
  core.coreEvents.on('user-feedback', said => messages.push([said.severity, said.message]));
  core.coreEvents.on('agents-discovered', found => waiting.push(...(found.agents ?? found)));
  const folder = process.cwd();
  const settings = loadSettings(folder);
  const argv = { prompt: 'x', query: 'x' };
  const options = { cwd: folder, loadedSettings: settings, projectHooks: settings.workspace.settings.hooks };
  const config = await main.loadCliConfig(settings.merged, 'session', argv, options);
  await config.initialize();
  verdict.trusted = config.isTrustedFolder();
  verdict.packages = config.getExtensions().map(each => [each.name, each.path, each.isActive ? 'active' : 'off']);
  verdict.commands = await commands(config, cli);
  const skills = config.getSkillManager().getAllSkills().filter(each => !each.isBuiltin);
  verdict.skills = skills.map(each => [each.name, each.location, each.disabled ? 'off' : 'active']);
  verdict.subagents = agents(config.getAgentRegistry(), waiting);
  verdict['mcp-servers'] = servers(config);
  const hooks = config.getHookSystem()?.getAllHooks() ?? [];
  verdict.hooks = hooks.map(each => [`${each.eventName} ${each.config.command}`, null, each.enabled ? 'active' : 'off']);
  verdict['context-files'] = config.getGeminiMdFilePaths().map(each => [path.basename(each), each, 'active']);
  const rules = config.getPolicyEngine().getRules().filter(rule => /\.toml/.test(rule.source ?? '') && !/^Default/.test(rule.source));
  verdict.policies = rules.map(rule => [`${rule.decision} ${rule.toolName ?? '*'}`, null, 'active']);
}

// The loader forgets the file that a command came from.
async function commands(config, cli) {
  const files = new cli.FileCommandLoader(config), read = files.parseAndAdaptFile.bind(files);
  files.parseAndAdaptFile = async (file, ...more) => {
    const command = await read(file, ...more);
    return command && { ...command, file };
  };
  const service = await cli.CommandService.create([new cli.BuiltinCommandLoader(config), files], new AbortController().signal);
  return service.getCommands().filter(each => each.file).map(each => [each.name, each.file, 'active']);
}

function agents(registry, waiting) {
  const builtin = new Set(['codebase_investigator', 'cli_help', 'generalist', 'browser_agent']);
  const file = agent => agent.metadata?.filePath ?? null;
  const known = registry.getAllDiscoveredAgentNames().map(name => [name, registry.getDefinition(name) ?? registry.getDiscoveredDefinition(name)]);
  const loaded = new Set(known.map(([, agent]) => file(agent)));  // in the home folder it asks about the user's own agents, which it has
  return [
    ...known.filter(([name]) => !builtin.has(name)).map(([name, agent]) => [name, file(agent), registry.getDefinition(name) ? 'active' : 'off']),
    ...waiting.filter(agent => !loaded.has(file(agent))).map(agent => [agent.name, file(agent), 'waiting']),
  ];
}

// A server that has a client would be started. The file is not known where settings have an entry, which is merged then.
function servers(config) {
  const manager = config.getMcpClientManager();
  const started = new Set([...manager.clients.values()].map(client => client.getServerName()));
  const blocked = new Set(manager.getBlockedMcpServers().map(each => each.name));
  const state = name => started.has(name) ? 'active' : blocked.has(name) ? 'off' : 'inactive';
  const own = config.getMcpServers() ?? {}, all = { ...own, ...manager.getMcpServers() };
  const file = (name, server) => name in own ? null : path.join(server.extension.path, 'gemini-extension.json');
  return Object.entries(all).map(([name, server]) => [name, file(name, server), state(name)]);
}
