// Bundles the workflows (shipped, cached or compiled), and replays a history with the bundle.
import { createHash, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import temporalPackage from '@temporalio/worker/package.json' with { type: 'json' };
import { makeFolder } from '../base/host/make-folder.ts';
import { readTrustedFile } from '../base/host/cache-folder.ts';
import type { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { dayMs } from '../base/day-milliseconds.ts';
import { withoutFullStop } from '../base/text/normalize-text.ts';

/** The clone or the image, with TypeScript; in the package dist/, with JavaScript. */
const root = path.join(import.meta.dirname, '../..');
const workflowsPath = path.join(root, `workflows/index${path.extname(import.meta.filename)}`);
/** Interceptors of every bundle. They run inside those of tracing. */
const ownInterceptors = path.join(root, `workflows/refuse-unencrypted-input${path.extname(import.meta.filename)}`);
/** Interceptors of the bundles of workers that send traces. */
export const tracingModules: readonly string[] = [
  createRequire(import.meta.url).resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors'),
];
/** Built with the package and the image (build-workflow-bundles.ts); a clone has none. */
export const shippedBundleFolder = path.join(root, 'workflow-bundles');
const keptDays = 30;

/** Content of a bundle besides the workflows. */
export interface BundleContent {
  /** Modules of interceptors within workflows. */
  readonly interceptorModules?: readonly string[];
  /** The failure converter of the data converter. */
  readonly failureConverterPath?: string | undefined;
}

export interface BundleSettings extends BundleContent {
  /** Heartbeat timeout of all activities. Default: 30,000, that of the configuration. Replays ignore it. */
  readonly heartbeatTimeoutMs?: number;
  /** Bundles are cached here for the next start. Other users cannot write to the folder (openCacheFolder). null: no cache. */
  readonly cacheFolder: string | null;
  /** Default: `shippedBundleFolder`. */
  readonly shippedFolder?: string;
}

/**
 * The workflows as Temporal's sandbox loads them: the shipped bundle, or a cached one, or compiled now. The name of a bundle is a digest
 * of all its sources, so a bundle of other sources is never used.
 * @throws Error when the workflows have to be compiled and cannot be
 */
export async function bundleWorkflows(settings: BundleSettings): Promise<{ code: string }> {
  const { heartbeatTimeoutMs = 30_000 } = settings;
  // No activity is known before its workflow, and workflows have no configuration of their own.
  return { code: `const heartbeatTimeoutMs = ${heartbeatTimeoutMs}; ${await readOrCompile(settings)}` };
}

async function readOrCompile(settings: BundleSettings): Promise<string> {
  const { cacheFolder, shippedFolder = shippedBundleFolder } = settings;
  const name = await bundleName(settings);
  const shipped = await readKept(readFile(path.join(shippedFolder, name), 'utf8'));
  if (shipped !== null) return shipped;
  const kept = cacheFolder === null ? null : await readKept(readTrustedFile(path.join(cacheFolder, name)));
  if (kept !== null) return kept;
  const code = await compile(settings);
  // Without a cache, the next start takes a second longer.
  if (cacheFolder !== null) await keep(path.join(cacheFolder, name), code).catch(() => {});
  return code;
}

/** Replaces the content of `folder` by one bundle for each of `contents`. */
export async function buildBundles(folder: string, contents: readonly BundleContent[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await makeFolder(folder);
  for (const content of contents) {
    await writeFile(path.join(folder, await bundleName(content)), toKept(await compile(content)));
  }
}

async function compile({ interceptorModules = [], failureConverterPath }: BundleContent): Promise<string> {
  try {
    const { code } = await bundleWorkflowCode({
      workflowsPath,
      workflowInterceptorModules: [...interceptorModules, ownInterceptors],
      ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
      // Names of modules and sources do not depend on the program's folder. The sources themselves are not needed.
      webpackConfigHook: (config) => ({
        ...config,
        context: root,
        devtool: 'inline-nosources-source-map',
        output: {
          ...config.output,
          devtoolModuleFilenameTemplate: ({ resourcePath }: { resourcePath: string }) => {
            const name = resourcePath.replaceAll(`${root}${path.sep}`, '');
            // In the package, node_modules is outside of the program's folder.
            return name.slice(Math.max(0, name.indexOf('node_modules')));
          },
        },
      }),
      logger: new DefaultLogger('ERROR'),
    });
    return code;
  } catch (error) {
    const reason = error instanceof Error ? withoutFullStop(error.message) : 'unexpected error';
    throw new Error(
      `The workflows could not be compiled: ${reason}. The package and the image ship them compiled: install them again, or set TMPDIR to a folder in which programs may run.`,
      { cause: error },
    );
  }
}

/** Does not depend on the program's folder. */
async function bundleName({ interceptorModules = [], failureConverterPath }: BundleContent): Promise<string> {
  const hash = createHash('sha256');
  const modules = [...interceptorModules, ...(failureConverterPath === undefined ? [] : [failureConverterPath])];
  hash.update(JSON.stringify([temporalPackage.version, modules.map(toPortableName)]));
  for (const folder of ['src', 'workflows']) {
    const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
    for (const file of files.toSorted()) hash.update(toPortableName(file)).update(await readFile(file));
  }
  return `workflows-${hash.digest('hex')}.js`;
}

/** Files of the program relative to its folder, files of packages from `node_modules` on. */
function toPortableName(file: string): string {
  const name = path.relative(root, file);
  const isOwn = !name.startsWith('..') && !name.startsWith('node_modules');
  return isOwn ? name : file.slice(file.lastIndexOf('node_modules'));
}

/** null for a missing or damaged file: a crash of the machine may leave a file without its content. */
async function readKept(reading: Promise<string>): Promise<string | null> {
  const kept = await reading.catch(() => '');
  const code = kept.slice(kept.indexOf('\n') + 1);
  return kept === toKept(code) ? code : null;
}

/** The code, after a line with its digest. */
function toKept(code: string): string {
  return `${createHash('sha256').update(code).digest('hex')}\n${code}`;
}

/** Written to a temporary file and renamed, because another process may read it at the same time. */
async function keep(file: string, code: string): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder, 0o700);
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, toKept(code), { mode: 0o600 });
  await rename(unfinished, file);
  await removeOld(folder);
}

async function removeOld(folder: string): Promise<void> {
  const oldest = Date.now() - keptDays * dayMs;
  for (const name of await readdir(folder)) {
    if (!name.startsWith('workflows-')) continue;
    const file = path.join(folder, name);
    if ((await stat(file)).mtimeMs < oldest) await rm(file, { force: true });
  }
}

export interface NamedHistory {
  readonly workflowId: string;
  readonly history: ReturnType<typeof historyFromJSON>;
}

/**
 * Replays a history with the workflows of this build, on the task queue of the history: workflow ids contain it, and the SDK would use
 * an invented one. The SDK accepts a queue (worker.ts of 1.24), although the type of its options omits it.
 * @throws {DeterminismViolationError} when the workflows issue other commands than the history
 */
export function replayHistory(options: ReplayWorkerOptions, { workflowId, history }: NamedHistory): Promise<void> {
  const taskQueue = history.events?.[0]?.workflowExecutionStartedEventAttributes?.taskQueue?.name;
  return Worker.runReplayHistory({ ...options, ...(taskQueue ? { taskQueue } : {}) }, history, workflowId);
}
