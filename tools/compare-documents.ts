/**
 * Shows whether two checkouts print the same `--json` documents. It runs every command that prints one, on a fixed seed against
 * the sandbox, and writes one normalised file per command.
 *
 *   node tools/compare-documents.ts write FOLDER [--root CHECKOUT]
 *   node tools/compare-documents.ts compare FOLDER FOLDER
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

/** Keys whose string values are sentences for people: `compare` looks only at whether there is one. */
const textKeys = new Set([
  'says', 'error', 'message', 'description', 'remedy', 'problem', 'text', 'note', 'label', 'explanation', 'title', 'detail',
  'expected', 'found', 'left_out_because', 'why', 'summary', 'evidence', 'hint',
]); // prettier-ignore
/** Keys whose values depend on the speed of the machine, or on secrets that are drawn anew. */
const volatileKeys = new Set([
  'seconds',
  'milliseconds',
  'duration_ms',
  'digest',
  'api_key',
  'token',
  'temporal_ui',
  'signature',
]);

interface Step {
  readonly name: string;
  readonly args: readonly string[];
}

const documentSchema = z.looseObject({});
const runSchema = z.object({ orders: z.array(z.object({ order_id: z.string() })).min(1) });
const readySchema = z.object({
  service: z.object({ url: z.string(), apiKey: z.string() }),
  hubspot: z.object({ url: z.string(), portalId: z.number(), token: z.string() }),
  control: z.object({ url: z.string() }),
});

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string', default: path.join(import.meta.dirname, '..') } },
});
const [action, first, second] = positionals;
if (action === 'write' && first !== undefined) await writeDocuments(path.resolve(values.root), path.resolve(first));
else if (action === 'compare' && first !== undefined && second !== undefined) await compareFolders(first, second);
else throw new Error('usage: compare-documents.ts write FOLDER [--root CHECKOUT] | compare FOLDER FOLDER');

async function writeDocuments(root: string, folder: string): Promise<void> {
  const project = await mkdtemp(path.join(tmpdir(), 'prospect-sync-documents-'));
  const entry = path.join(root, 'tools/prospect-sync.mjs');
  await mkdir(folder, { recursive: true });
  const ports = ['--port', '0', '--hubspot-port', '0', '--control-port', '0'];
  const sandbox = startProcess(
    entry,
    ['sandbox', ...ports, '--allow-receiver', '127.0.0.1', '--seed', '7', '--example', project],
    { cwd: project, env: {} },
  );
  try {
    const { service, hubspot, control } = readySchema.parse(JSON.parse(await sandbox.firstOutput));
    const env = {
      PROSPECTING_BASE_URL: service.url,
      PROSPECTING_API_KEY: service.apiKey,
      HUBSPOT_BASE_URL: hubspot.url,
      HUBSPOT_TOKEN: hubspot.token,
    };
    const execute = async ({ name, args }: Step): Promise<unknown> => {
      const ended = await startProcess(entry, ['--json', ...args], { cwd: project, env }).ended;
      process.stderr.write(`${name}: exit code ${ended.code}\n`);
      const document: unknown = ended.stdout.trim() === '' ? null : JSON.parse(ended.stdout);
      const content = {
        exit_code: ended.code,
        document: normalise(document, { '<project>': project, '<root>': root }),
      };
      await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
      return document;
    };
    await extendConfiguration(path.join(project, 'prospect-sync.yaml'));
    await executeSteps(execute, {
      root,
      controlUrl: control.url,
      serviceUrl: service.url,
      portalId: String(hubspot.portalId),
    });
  } finally {
    sandbox.stop();
    await sandbox.ended;
    await rm(project, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Smaller runs, one with a schedule, and one that only writes files. */
async function extendConfiguration(file: string): Promise<void> {
  const config = z
    .looseObject({ runs: z.record(z.string(), documentSchema) })
    .parse(parse(await readFile(file, 'utf8')));
  const discovery = { ...config.runs['demo-discovery'], briefing_quantity: 40 };
  const runs = {
    'demo-discovery': discovery,
    'demo-enrichment': config.runs['demo-enrichment'],
    scheduled: { ...discovery, title: 'Scheduled', schedule: { cron: '0 6 * * 1', timezone: 'Europe/Berlin' } },
    'files-only': { ...discovery, title: 'Files only', crm: false },
  };
  await writeFile(file, stringify({ ...config, runs }));
}

interface Place {
  readonly root: string;
  readonly controlUrl: string;
  readonly serviceUrl: string;
  readonly portalId: string;
}

async function executeSteps(
  execute: (step: Step) => Promise<unknown>,
  { root, controlUrl, serviceUrl, portalId }: Place,
): Promise<void> {
  const step = (name: string, ...args: string[]) => execute({ name, args });
  const control = (name: string, ...args: string[]) => step(name, 'sandbox', '--control-url', controlUrl, ...args);
  await step('validate', 'validate');
  await step('doctor-before', 'doctor');
  await step('status-before', 'status');
  await step('dry-run-discovery', 'run', 'demo-discovery', '--dry-run');
  await step('dry-run-enrichment', 'run', 'demo-enrichment', '--dry-run');
  await step('exclusions-preview-before', 'exclusions', 'preview');
  await step('exclusions-sync', 'exclusions', 'sync', 'customers');
  await step('exclusions-preview-after', 'exclusions', 'preview', 'customers', '--out', 'differences.csv');
  const orderId = toOrderId(await step('run-discovery', 'run', 'demo-discovery'));
  await step('run-enrichment', 'run', 'demo-enrichment');
  const filesOnly = toOrderId(await step('run-files-only', 'run', 'files-only'));
  await step('preview-order', 'preview', filesOnly);
  await step('preview-run', 'preview', 'files-only', '--out', 'preview.csv');
  await step('ingest', 'ingest', filesOnly, '--run', 'demo-discovery');
  await step('reconcile', 'reconcile', orderId);
  await step('rows', 'rows', orderId);
  await step('rows-skipped', 'rows', orderId, '--outcome', 'skipped');
  await step('retry', 'retry', orderId);
  await step('trace', 'trace', 'nowhere.example');
  await step('status', 'status');
  await step('status-of-run', 'status', 'demo-discovery');
  await step('service-show', 'service', 'show');
  await step('service-learn', 'service', 'learn', orderId);
  await step('service-forget', 'service', 'forget');
  await step('doctor-after', 'doctor');
  await step('schedule-plan', 'plan', '--exit-code');
  await step('schedule-apply', 'apply');
  await step('schedule-plan-applied', 'plan', '--exit-code');
  await step('schedule-pause', 'schedule', 'pause', 'scheduled', '--note', 'fixed note');
  await step('schedule-list', 'schedule', 'list');
  await step('schedule-resume', 'schedule', 'resume', 'scheduled', '--note', 'fixed note');
  await step('schedule-delete', 'schedule', 'delete', 'scheduled');
  const history = path.join(root, 'test/workflows/histories/0.2.0');
  await step('replay', 'replay', path.join(history, (await readdir(history)).toSorted()[0] ?? ''));
  await control('sandbox-clock', 'clock');
  await control('sandbox-clock-freeze', 'clock', 'freeze');
  await control('sandbox-clock-advance', 'clock', 'advance', '1d');
  await control('sandbox-clock-resume', 'clock', 'resume');
  await control('sandbox-faults-add', 'faults', 'add', '/api/v1/never', '--status', '503');
  await control('sandbox-faults-add-portal', 'faults', '--portal', portalId, 'add', '/never', '--preset', 'locked');
  await control('sandbox-faults', 'faults');
  await control('sandbox-faults-clear', 'faults', 'clear');
  await control('sandbox-journal', 'journal', '--path', '/api/v1/blacklists', '--method', 'POST');
  await control('sandbox-journal-portal', 'journal', '--portal', portalId, '--path', '/account-info');
  await control('sandbox-trigger', 'trigger', 'reply.interested', '--to', 'https://127.0.0.1:9/closed');
  await step('conformance', 'conformance', '--base-url', serviceUrl, '--api-key-env', 'PROSPECTING_API_KEY');
  await step('error-unknown-run', 'run', 'no-such-run');
  await step('error-order-id', 'reconcile', 'xyz');
  await step('error-unknown-order', 'rows', '7c1e2f34-0000-4000-8000-000000000000');
  await step('error-ingest-unknown-order', 'ingest', '7c1e2f34-0000-4000-8000-000000000000', '--run', 'demo-discovery');
  await step('error-unknown-option', 'run', '--no-such-option');
  await step('error-configuration', 'validate', '--config', 'no-such-file.yaml');
  await step('error-digest', 'exclusions', 'approve', 'no-such-digest');
  await step('error-replay', 'replay', 'prospect-sync.yaml');
}

function toOrderId(document: unknown): string {
  const [order] = runSchema.parse(document).orders;
  if (order === undefined) throw new Error('the run has no order');
  return order.order_id;
}

function startProcess(
  entry: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const firstOutput = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<{ code: number | null; stdout: string }>();
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    firstOutput.resolve(stdout);
  });
  child.once('close', (code) => {
    firstOutput.reject(new Error(`${args.join(' ')} ended without output`));
    ended.resolve({ code, stdout });
  });
  firstOutput.promise.catch(() => {}); // only the sandbox is asked for it
  return { firstOutput: firstOutput.promise, ended: ended.promise, stop: () => child.kill('SIGTERM') };
}

function normalise(value: unknown, folders: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => normalise(item, folders));
  if (typeof value === 'string') return normaliseText(value, folders);
  if (typeof value !== 'object' || value === null) return value;
  // The digest of the configuration depends on the ports of the sandbox.
  if ('field' in value && value.field === 'configuration') return { ...value, from: '<volatile>', to: '<volatile>' };
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      normaliseText(key, folders),
      volatileKeys.has(key) && item !== null ? '<volatile>' : normalise(item, folders),
    ]),
  );
}

function normaliseText(text: string, folders: Readonly<Record<string, string>>): string {
  return Object.entries(folders)
    .reduce((replaced, [name, folder]) => replaced.replaceAll(folder, name), text)
    .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '<uuid>')
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '<date>')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:<port>');
}

async function compareFolders(before: string, after: string): Promise<void> {
  const names = new Set(
    [...(await readdir(before)), ...(await readdir(after))].filter((name) => name.endsWith('.json')),
  );
  const read = async (folder: string, name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folder, name), 'utf8').catch(() => 'null'));
  let different = 0;
  for (const name of [...names].toSorted()) {
    for (const difference of findDifferences(await read(before, name), await read(after, name), '')) {
      process.stdout.write(`${name} ${difference}\n`);
      different += 1;
    }
  }
  process.stdout.write(`${names.size} documents, ${different} differences\n`);
  process.exitCode = different === 0 ? 0 : 1;
}

function findDifferences(before: unknown, after: unknown, at: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [left, right] = [toEntries(before), toEntries(after)];
  if (left === null || right === null) {
    const key = at.slice(at.lastIndexOf('/') + 1);
    const areTexts = typeof before === 'string' && typeof after === 'string' && textKeys.has(key);
    return areTexts ? [] : [`${at}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`];
  }
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    findDifferences(left.get(key), right.get(key), `${at}/${key}`),
  );
}

/** null for what is neither a list nor an object. */
function toEntries(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)) : null;
}
