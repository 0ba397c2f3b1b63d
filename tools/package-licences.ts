/** Licences of the packages that the package needs, and the notices for the code of others that it contains. */
import { existsSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const manifestSchema = z.object({
  license: z.string().optional(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});
const lockfileSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      inBundle: z.boolean().default(false),
      resolved: z.string().default(''),
    }),
  ),
});
const sourceMapSchema = z.object({ sources: z.array(z.string()) });

/** Name of the notices in dist. */
export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/** SPDX ids of licences under which a dependency of an Apache-2.0 program may be used and passed on. */
const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
]);
/** Packages whose package.json names no licence, with that of their licence file. */
const licencesOfFiles = new Map([['node_modules/unionfs', 'Unlicense']]);

/** One line for each production dependency in the lockfile of `root` whose licence is unknown or not allowed. */
export function findLicenceProblems(root: string): string[] {
  const needed = Object.entries(readLockfile(root)).filter(([folder, { dev }]) => folder !== '' && !dev);
  return needed.flatMap(([folder, entry]) => {
    // Packages for other platforms are not installed.
    const licence = readManifest(root, folder).license ?? entry.license ?? licencesOfFiles.get(folder);
    if (licence !== undefined && isAllowed(licence)) return [];
    const found = licence === undefined ? 'names no licence' : `has the licence ${licence}, which is not in the list`;
    return [
      `${folder} ${entry.version} ${found}. Compare it with Apache-2.0, then add it to tools/package-licences.ts or choose another package`,
    ];
  });
}

/** An SPDX expression; one with both AND and OR is refused, because nothing needs it. */
function isAllowed(expression: string): boolean {
  const ids = expression.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /);
  const isChoice = expression.includes(' OR ');
  if (isChoice && expression.includes(' AND ')) return false;
  return isChoice ? ids.some((id) => allowedLicences.has(id)) : ids.every((id) => allowedLicences.has(id));
}

/** Writes the licences of bundled packages, and of those that are compiled into `dist`/workflow-bundles, into `dist`. */
export function writeThirdPartyNotices(root: string, dist: string): void {
  const packages = readLockfile(root);
  const bundled = Object.keys(packages).filter((folder) => packages[folder]?.inBundle === true);
  const folders = [...new Set([...bundled, ...compiledPackages(dist)])].toSorted();
  const byText = Map.groupBy(folders, (folder) => {
    const isOwn = packages[folder]?.resolved.startsWith('file:') === true;
    return licenceText(root, isOwn ? '' : folder);
  });
  const sections = [...byText].map(([text, sharing]) => {
    const names = sharing.map((folder) => `${nameOf(folder)} ${packages[folder]?.version}`);
    return `${'-'.repeat(80)}\n${names.join(', ')}\n\n${text}\n`;
  });
  const introduction =
    'prospect-sync is licensed under Apache-2.0 (LICENSE). The package also contains code of the packages below: whole packages in\n' +
    'node_modules/, and compiled parts of others in dist/workflow-bundles/. Each is followed by its licence.\n';
  writeFileSync(path.join(dist, noticesFile), [introduction, ...sections].join('\n'));
}

/** Folders of the packages of which the workflow bundles contain modules, by the source maps of the bundles. */
function compiledPackages(dist: string): string[] {
  const bundles = globSync('workflow-bundles/*.js', { cwd: dist });
  const sources = bundles.flatMap((name) => {
    const { sources } = sourceMapSchema.parse(JSON.parse(readInlineSourceMap(path.join(dist, name))));
    return sources;
  });
  return sources.flatMap((source) => {
    if (source.startsWith('webpack/')) return ['node_modules/webpack'];
    const [name = '', ...outer] = source.split('node_modules/').toReversed();
    const ownName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    return outer.length === 0 ? [] : [[ownName, ...outer].toReversed().join('node_modules/')];
  });
}

/** The decoded source map at the end of a file; empty without one. */
export function readInlineSourceMap(file: string): string {
  const mark = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';
  const text = readFileSync(file, 'utf8');
  const start = text.lastIndexOf(mark);
  return start === -1 ? '' : Buffer.from(text.slice(start + mark.length), 'base64').toString();
}

function licenceText(root: string, folder: string): string {
  const names = readdirSync(path.join(root, folder)).toSorted();
  const read = (name: string) =>
    readFileSync(path.join(root, folder, name), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim();
  const files = names.filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name));
  if (files.length > 0) return files.map(read).join('\n\n');
  const [, section] = /^#+ licen[cs]e$(.*)/ims.exec(names.includes('README.md') ? read('README.md') : '') ?? [];
  if (section !== undefined) return section.trim();
  const { license, author = 'nobody' } = readManifest(root, folder);
  return `The package contains no licence text. Its package.json names the licence ${license} and the author ${author}.`;
}

function readLockfile(root: string) {
  const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  return lockfileSchema.parse(JSON.parse(text)).packages;
}

function readManifest(root: string, folder: string): z.infer<typeof manifestSchema> {
  const file = path.join(root, folder, 'package.json');
  return existsSync(file) ? manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
