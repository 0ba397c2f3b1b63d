import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import temporalPackage from '@temporalio/worker/package.json' with { type: 'json' };

/** TypeScript in the clone, JavaScript in the package. */
const workflowsPath = path.join(import.meta.dirname, `../workflows/index${path.extname(import.meta.filename)}`);
const sourceFolders = [import.meta.dirname, path.dirname(workflowsPath)];
const keptDays = 30;

export interface BundleSettings {
  /** Modules of interceptors within workflows. */
  readonly interceptorModules?: readonly string[];
  /** That of the data converter. */
  readonly failureConverterPath?: string | undefined;
  /** Where bundles are kept for the next start; null: nowhere. */
  readonly cacheFolder: string | null;
}

/**
 * The workflows as Temporal's sandbox loads them. Bundling takes a second, which every command that works would wait for;
 * so a bundle is kept under a digest of everything that it is made of.
 */
export async function bundleWorkflows(settings: BundleSettings): Promise<{ code: string }> {
  const { cacheFolder } = settings;
  if (cacheFolder === null) return bundle(settings);
  const file = path.join(cacheFolder, `workflows-${await digestOf(settings)}.js`);
  const code = await readKept(file);
  if (code !== null) return { code };
  const made = await bundle(settings);
  // A folder that cannot be written costs the next start a second, and nothing else.
  await keep(file, made.code).catch(() => {});
  return made;
}

async function bundle({ interceptorModules = [], failureConverterPath }: BundleSettings): Promise<{ code: string }> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [...interceptorModules],
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
    logger: new DefaultLogger('ERROR'),
  });
  return { code };
}

async function digestOf({ interceptorModules = [], failureConverterPath = '' }: BundleSettings): Promise<string> {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([temporalPackage.version, workflowsPath, interceptorModules, failureConverterPath]));
  for (const folder of sourceFolders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
    for (const file of files.toSorted()) hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** null where there is none, or a spoilt one: a machine that goes down may leave a file without its bytes. */
async function readKept(file: string): Promise<string | null> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  const code = kept.slice(kept.indexOf('\n') + 1);
  return kept === toKept(code) ? code : null;
}

/** The code below its own digest. */
function toKept(code: string): string {
  return `${createHash('sha256').update(code).digest('hex')}\n${code}`;
}

/** Whole or not at all, since another process may look for it at the same time. */
async function keep(file: string, code: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true });
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, toKept(code), { mode: 0o600 });
  await rename(unfinished, file);
  await removeOld(folder);
}

async function removeOld(folder: string): Promise<void> {
  const oldest = Date.now() - keptDays * 86_400_000;
  for (const name of await readdir(folder)) {
    if (!name.startsWith('workflows-')) continue;
    const file = path.join(folder, name);
    if ((await stat(file)).mtimeMs < oldest) await rm(file, { force: true });
  }
}
