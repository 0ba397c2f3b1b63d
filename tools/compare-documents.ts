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
import { z } from 'zod';
import { executeSteps, extendConfiguration, type Step } from './document-steps.ts';

/** Keys whose string values are sentences for people: `compare` looks only at whether there is one. */
const textKeys = new Set([
  'error', 'message', 'description', 'remedy', 'problem', 'text', 'note', 'label', 'explanation', 'title', 'detail',
  'expected', 'found', 'left_out_because', 'why', 'summary', 'evidence', 'hint',
]); // prettier-ignore
/** Keys whose values depend on the speed of the machine, or on newly generated secrets. */
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
  firstOutput.promise.catch(() => {}); // only the sandbox's first output is awaited
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

/** null for anything but a list or an object. */
function toEntries(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)) : null;
}
