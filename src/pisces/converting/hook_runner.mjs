// Runs a hook that was written for Claude Code when another program fires one of its own. Written by pisces.
// It needs Node 18 or later and nothing else. `hooks.json` beside it has the hooks as they were, and `words.mjs` knows
// how that program asks and what it understands. A failure ends with 2 and its reason, which denies where that is
// possible: `run.sh` and `run.cmd` do the same where this file cannot run.
import { mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MOST_CALLS } from './calls.mjs';
import { answerOf, isObject, outcomeOf } from './protocol.mjs';
import * as words from './words.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, '..', '..');
const MARGIN = 250; // milliseconds
const meant = words.answerOf ?? answerOf; // hooks of another program answer in its words

async function main(id) {
  const table = JSON.parse(readFileSync(path.join(HERE, 'hooks.json'), 'utf8'));
  const entry = Object.hasOwn(table.hooks, id) ? table.hooks[id] : undefined;
  if (!entry) throw new Error(`there is no hook ${id}`);
  const given = JSON.parse(readFileSync(0, 'utf8').replace(/^\uFEFF/, ''));
  if (!isObject(given)) throw new Error('its input is no object');
  const place = placeOf(table, entry, given);
  const calls = words.callsOf(given, entry, table, place);
  if (calls.length > MOST_CALLS) throw new Error(`one call is for more than ${MOST_CALLS} things at once`);
  const base = { hook_event_name: entry.event, ...words.baseOf(given, entry, place) };
  const answers = await Promise.all(
    calls.map(async (call) => {
      const outcome = await outcomeOf(entry.hook, { ...base, ...call.fields }, place);
      return { ...meant(entry.hook, entry.event, outcome), call };
    }),
  );
  const said = words.saying(combined(entry, answers), given, entry, place);
  // Nothing at all is an answer for some programs and a failure for others: words decide.
  const text = said === undefined ? '' : `${JSON.stringify(said)}\n`;
  process.stdout.write(text, () => process.exit(0));
}

function placeOf(table, entry, given) {
  const env = { ...process.env };
  if (env.PISCES_NODE_OPTIONS) env.NODE_OPTIONS = env.PISCES_NODE_OPTIONS;
  delete env.PISCES_NODE_OPTIONS;
  const { cwd, project, session } = words.sceneOf(given, env, entry);
  const data = env.CLAUDE_PLUGIN_DATA || env.PLUGIN_DATA || path.join(os.homedir(), words.DATA, table.plugin);
  Object.assign(env, { CLAUDE_PLUGIN_ROOT: ROOT, CLAUDE_PLUGIN_DATA: data, CLAUDE_PROJECT_DIR: project });
  Object.assign(env, { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_SESSION_ID: session, CLAUDE_CODE_SESSION_ID: session });
  try {
    mkdirSync(data, { recursive: true });
  } catch {
    // the hook finds out by itself whether it can write there
  }
  // A little less than the program waits, so that what the hook said until then still counts.
  const left = entry.timeout - process.uptime() * 1000 - MARGIN;
  return { cwd, env, data, session, limit: Math.round(Math.max(MARGIN, Math.min(entry.limit, left))) };
}

// One answer of all: a denial beats a question, which beats everything else. It is allowed where each call is.
function combined(entry, answers) {
  const joined = (key) => answers.map((each) => each[key]).filter(Boolean).join('\n');
  const denials = answers.filter((each) => each.decision === 'deny');
  const question = answers.find((each) => each.decision === 'ask');
  const problems = answers.filter((each) => each.problem).map((each) => `${entry.event} hook \`${entry.shown}\`: ${each.problem}`);
  return {
    isDenied: denials.length > 0,
    isAllowed: answers.length > 0 && answers.every((each) => each.decision === 'allow'),
    reason: denials.map((each) => each.reason).join('\n'),
    question: question && (question.reason || 'A hook asks for confirmation'),
    context: joined('context'),
    text: [joined('context'), joined('plain')].filter(Boolean).join('\n'),
    message: [joined('message'), ...problems].filter(Boolean).join('\n'),
    stop: answers.find((each) => each.stop !== undefined)?.stop,
    outputs: answers.map((each) => each.output).filter((each) => each !== undefined),
    rewriter: answers.findLast((each) => each.input !== undefined),
  };
}

function fail(error) {
  process.stderr.write(`A hook cannot run: ${error?.message ?? error}\n`, () => process.exit(2));
}

process.on('uncaughtException', fail);
main(process.argv[2]).catch(fail);
