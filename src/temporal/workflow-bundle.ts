import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import temporalPackage from '@temporalio/worker/package.json' with { type: 'json' };
import { readTrustedFile } from '../host/cache-folder.ts';

/** The clone or the image, which hold TypeScript; in the package dist/, which holds JavaScript. */
const root = path.join(import.meta.dirname, '../..');
const workflowsPath = path.join(root, `workflows/index${path.extname(import.meta.filename)}`);
/** Around the workflows of every bundle, within those of tracing. */
const ownInterceptors = path.join(root, `workflows/refuse-unencrypted-input${path.extname(import.meta.filename)}`);
/** Built with the package and the image (build-workflow-bundles.ts); a clone has none. */
export const shippedBundleFolder = path.join(root, 'workflow-bundles');
const keptDays = 30;

/** What goes into a bundle beside the workflows. */
export interface BundleContent {
  /** Modules of interceptors within workflows. */
  readonly interceptorModules?: readonly string[];
  /** That of the data converter. */
  readonly failureConverterPath?: string | undefined;
}

export interface BundleSettings extends BundleContent {
  /** Where bundles are kept for the next start, a folder that others cannot write (openCacheFolder); null: nowhere. */
  readonly cacheFolder: string | null;
  /** The program's own unless given. */
  readonly shippedFolder?: string;
}

/**
 * The workflows as Temporal's sandbox loads them: the shipped bundle, else the one kept by an earlier start, else compiled
 * now. The name of a bundle is a digest of everything that it is made of, so that none of other sources is ever used.
 * @throws Error where they have to be compiled and cannot be
 */
export async function bundleWorkflows(settings: BundleSettings): Promise<{ code: string }> {
  const { cacheFolder, shippedFolder = shippedBundleFolder } = settings;
  const name = await bundleName(settings);
  const shipped = await readKept(readFile(path.join(shippedFolder, name), 'utf8'));
  if (shipped !== null) return { code: shipped };
  const kept = cacheFolder === null ? null : await readKept(readTrustedFile(path.join(cacheFolder, name)));
  if (kept !== null) return { code: kept };
  const code = await compile(settings);
  // A folder that cannot be written costs the next start a second, and nothing else.
  if (cacheFolder !== null) await keep(path.join(cacheFolder, name), code).catch(() => {});
  return { code };
}

/** Replaces what `folder` holds by one bundle for each content. */
export async function buildBundles(folder: string, contents: readonly BundleContent[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
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
      // Names of modules and sources are the same wherever the program lies; the sources themselves are read by nobody.
      webpackConfigHook: (config) => ({
        ...config,
        context: root,
        devtool: 'inline-nosources-source-map',
        output: {
          ...config.output,
          devtoolModuleFilenameTemplate: ({ resourcePath }: { resourcePath: string }) =>
            resourcePath.replaceAll(`${root}${path.sep}`, ''),
        },
      }),
      logger: new DefaultLogger('ERROR'),
    });
    return code;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unexpected error';
    throw new Error(
      `The workflows could not be compiled: ${reason}. The package and the image ship them compiled: install them again, or set TMPDIR to a folder in which programs may run.`,
      { cause: error },
    );
  }
}

/** It does not depend on where the program lies. */
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

/** Own files are named from the program's folder, those of packages from the folder that npm has put them in. */
function toPortableName(file: string): string {
  const name = path.relative(root, file);
  const isOwn = !name.startsWith('..') && !name.startsWith('node_modules');
  return isOwn ? name : file.slice(file.lastIndexOf('node_modules'));
}

/** null where there is none, or a spoilt one: a machine that goes down may leave a file without its bytes. */
async function readKept(reading: Promise<string>): Promise<string | null> {
  const kept = await reading.catch(() => '');
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
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
