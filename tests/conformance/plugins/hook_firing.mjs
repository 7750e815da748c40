// Installs a converted extension into a throwaway home with the real Gemini CLI and fires events at its hooks, through the
// program's own registry, planner, runner and aggregator. One JSON line for each case.
//
//   node hook_firing.mjs PACKAGE FOLDER CASES.json
//
// PACKAGE is the folder of the npm package @google/gemini-cli. A case has event, context, input and env; `log` names the
// file that hooks write their names to, `expected` those that are waited for, because some run in the background.
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';

const [packageFolder, folder, casesFile] = process.argv.slice(2);
globalThis.fetch = async () => { throw new Error('no network'); };
for (const plain of [http, https]) plain.request = plain.get = () => { throw new Error('no network'); };
const say = line => fs.writeSync(1, line + '\n');

const bundle = path.resolve(packageFolder, 'bundle');
function exportsOf(text) {
  const at = text.lastIndexOf('\nexport {');
  return new Set(at < 0 ? [] : text.slice(at).split(/[{},]/).map(each => each.trim().split(' as ').pop().trim()));
}
function exporting(files, names) {
  for (const file of files) {
    const text = fs.readFileSync(path.join(bundle, file), 'utf8');
    const exported = exportsOf(text);
    if (names.every(name => exported.has(name))) return { file, text };
  }
  throw new Error(`no file of the bundle exports ${names.join(', ')}`);
}
const chunks = fs.readdirSync(bundle).filter(name => /^chunk-.*\.js$/.test(name)).sort();
const outer = exporting(chunks, ['ExtensionManager', 'FileCommandLoader', 'CommandService']);
const imported = [...outer.text.matchAll(/from "\.\/(chunk-[A-Z0-9]+\.js)"/g)].map(match => match[1]);
const load = file => import(path.join(bundle, file));
const cli = await load(outer.file);
const core = await load(exporting(imported, ['HookRegistry', 'HookPlanner', 'HookRunner', 'HookAggregator', 'Storage']).file);
const { loadSettings } = await load(exporting(imported, ['loadSettings']).file);
for (const level of ['log', 'warn', 'error', 'info', 'debug']) console[level] = () => {};

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'home-'));
const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'work-'));
process.env.HOME = home;
process.chdir(workspace);
const integrityManager = { verify: async () => 'verified', store: async () => {} };
const manager = new cli.ExtensionManager({
  workspaceDir: workspace, requestConsent: async () => true, requestSetting: null, settings: loadSettings(workspace).merged, integrityManager,
});
await manager.loadExtensions();
await manager.installOrUpdateExtension({ source: folder, type: 'local' });
const redaction = { allowedEnvironmentVariables: [], blockedEnvironmentVariables: [], enableEnvironmentVariableRedaction: false };
const config = {
  getFolderTrust: () => false, isTrustedFolder: () => true, getProjectRoot: () => workspace, getExtensions: () => manager.getExtensions(),
  storage: new core.Storage(workspace), getProjectHooks: () => undefined, getHooks: () => undefined, getDisabledHooks: () => [], sanitizationConfig: redaction,
};
const registry = new core.HookRegistry(config);
await registry.initialize();
const planner = new core.HookPlanner(registry), runner = new core.HookRunner({ ...config, storage: { getPlansDir: () => 'plans' } }), aggregator = new core.HookAggregator();
let number = 0;
for (const each of JSON.parse(fs.readFileSync(casesFile, 'utf8'))) {
  Object.assign(process.env, each.env, { JUDGE_LOG: each.log });
  const base = { session_id: `s${number++}`, transcript_path: '', cwd: workspace, hook_event_name: each.event, timestamp: new Date().toISOString() };
  const plan = planner.createExecutionPlan(each.event, each.context);
  const answer = { hooks: plan?.hookConfigs.length ?? 0, denied: [], blocked: false, failed: [] };
  if (plan) {
    const results = await runner.executeHooksParallel(plan.hookConfigs, each.event, { ...base, ...each.input });
    const final = aggregator.aggregateResults(results, each.event).finalOutput;
    answer.blocked = Boolean(final?.getBlockingError().blocked);
    for (const { output, success, error, stderr } of results) {
      if (['deny', 'block'].includes(output?.decision)) answer.denied.push(String(output.reason ?? ''));
      if (!success) answer.failed.push(String(error?.message ?? stderr ?? ''));
    }
  }
  await until(() => each.expected.every(name => logged(each.log).includes(name)), plan ? each.patience : 0);
  answer.logged = logged(each.log);
  say(JSON.stringify(answer).split(home).join('<HOME>'));
}
process.chdir(os.tmpdir());
for (const place of [home, workspace]) fs.rmSync(place, { recursive: true, force: true, maxRetries: 3 });
process.exit(0);

function logged(file) {
  try { return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean); } catch { return []; }
}
async function until(holds, patience) {
  for (const end = Date.now() + patience; !holds() && Date.now() < end;) await new Promise(next => setTimeout(next, 20));
}
