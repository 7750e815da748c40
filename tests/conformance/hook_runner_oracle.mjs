// Asks an installed Gemini CLI what comes of the hooks of extensions. One JSON line for each case.
//
//   node hook_runner_oracle.mjs PACKAGE CASES.jsonl > VERDICTS.jsonl
//
// PACKAGE is the folder of the npm package @google/gemini-cli. A case has `id`, `extension` (a folder), `event`, `cwd` and
// `fields`; with `turns`, a list of fields, it has several verdicts, one after another. Its hooks are registered, chosen, run and combined by the program's own registry, planner, runner and
// aggregator.
import fs from 'node:fs';
import path from 'node:path';

const [packageFolder, casesFile] = process.argv.slice(2);
const lines = [];
const print = line => lines.push(line);
for (const name of ['log', 'warn', 'error', 'info', 'debug']) console[name] = () => {};

const bundle = path.resolve(packageFolder, 'bundle');
const NAMES = ['HookRegistry', 'HookPlanner', 'HookRunner', 'HookAggregator'];
// The bundle's file names change with every build; it holds several copies of everything, each of which is complete.
const holder = fs.readdirSync(bundle).sort().find(file => {
  if (!file.endsWith('.js') || fs.statSync(path.join(bundle, file)).size < 1e6) return false;
  const text = fs.readFileSync(path.join(bundle, file), 'utf8');
  const at = text.lastIndexOf('\nexport {');
  return at >= 0 && NAMES.every(name => new RegExp(`\\b${name}\\b`).test(text.slice(at)));
});
const { HookRegistry, HookPlanner, HookRunner, HookAggregator } = await import(path.join(bundle, holder));

function hydrated(value, words) {
  if (typeof value === 'string') return value.replace(/\${(.*?)}/g, (all, key) => words[key] ?? all);
  if (Array.isArray(value)) return value.map(each => hydrated(each, words));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hydrated(each, words)]));
}

async function verdictOf(each) {
  const file = path.join(each.extension, 'hooks', 'hooks.json');
  const found = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).hooks : {};
  const words = { extensionPath: each.extension, workspacePath: each.cwd, '/': path.sep, pathSeparator: path.sep };
  const config = {
    getHooks: () => undefined,
    getProjectHooks: () => undefined,
    getDisabledHooks: () => [],
    getExtensions: () => [{ isActive: true, hooks: hydrated(found, words) }],
    isTrustedFolder: () => true,
    getProjectRoot: () => each.cwd,
    sanitizationConfig: { allowedEnvironmentVariables: [], blockedEnvironmentVariables: [], enableEnvironmentVariableRedaction: false },
    storage: { getPlansDir: () => 'plans' },
  };
  const registry = new HookRegistry(config);
  await registry.initialize();
  const fields = each.fields ?? {};
  const input = { session_id: each.session ?? 'session', transcript_path: '', cwd: each.cwd, hook_event_name: each.event, timestamp: '2026-01-01T00:00:00Z', ...fields };
  const trigger = fields.source ?? fields.reason ?? fields.trigger;
  const context = fields.tool_name ? { toolName: fields.tool_name } : trigger ? { trigger } : undefined;
  const plan = new HookPlanner(registry).createExecutionPlan(each.event, context);
  if (!plan) return { fired: 0 };
  const results = await new HookRunner(config).executeHooksParallel(plan.hookConfigs, each.event, input);
  const merged = new HookAggregator().aggregateResults(results, each.event).finalOutput;
  return {
    fired: plan.hookConfigs.length,
    decision: merged?.decision,
    reason: merged?.reason,
    stop: merged?.continue === false ? merged.stopReason : undefined,
    message: merged?.systemMessage,
    input: merged?.hookSpecificOutput?.tool_input,
    context: merged?.hookSpecificOutput?.additionalContext,
    timedOut: results.some(result => /timed out/.test(result.error?.message ?? '')),
    exits: results.map(result => result.exitCode),
  };
}

const cases = fs.readFileSync(casesFile, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));
async function work() {
  for (let each = cases.shift(); each; each = cases.shift()) {
    const found = [];
    for (const fields of each.turns ?? [each.fields]) found.push(await verdictOf({ ...each, fields }));
    print(JSON.stringify({ id: each.id, ...(each.turns ? { turns: found } : found[0]) }));
  }
}
await Promise.all([1, 2, 3, 4].map(work));
process.stdout.write(lines.map(line => line + '\n').join(''), () => process.exit(0));
