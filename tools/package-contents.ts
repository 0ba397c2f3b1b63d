/** What the package contains, and what it must not contain. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { noticesFile, readInlineSourceMap } from './package-licences.ts';

const manifestSchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  publishConfig: z.object({ tag: z.string().optional(), provenance: z.boolean().optional() }).optional(),
});

const neededFiles = [
  'package.json',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  `dist/${noticesFile}`,
  // Builds Temporal.
  'dist/tools/temporal/go.mod',
];
const allowedFiles = [
  // Bundled packages.
  /^node_modules\//,
  /^dist\/(?:src|sandbox|conformance|workflows|activities)\/.*\.js$/,
  /^dist\/package\.json$/,
  /^dist\/workflow-bundles\/workflows-[0-9a-f]{64}\.js$/,
  /^dist\/tools\/temporal\/go\.(?:mod|sum)$/,
  /^deploy\/(?:kubernetes\/[a-z]+\.yaml|prometheus\/rules\.yml)$/,
  /^docs\/.*\.md$/,
  /^docs\/images\/[^/]+\.png$/,
  /^tools\/[^/]+\.mjs$/,
];

/** One line for each of `paths` that the package must not contain, and for each file that it lacks, or that its documents link to. */
export function findPackedFileProblems(root: string, paths: readonly string[]): string[] {
  const documents = paths.filter((file) => file.endsWith('.md') && !file.startsWith('node_modules/'));
  const needed = [...neededFiles, ...documents.flatMap((file) => linksOf(root, file))];
  const isContained = (name: string) => paths.some((file) => file === name || file.startsWith(`${name}/`));
  const unexpected = paths.filter(
    (file) => !needed.includes(file) && !allowedFiles.some((allowed) => allowed.test(file)),
  );
  return [
    ...unexpected.map((file) => `the package contains the unexpected file ${file}`),
    ...[...new Set(needed)].filter((name) => !isContained(name)).map((name) => `the package lacks ${name}`),
  ];
}

/** Targets of the relative links and images of a document, from the root of the package. */
function linksOf(root: string, document: string): string[] {
  const links = readFileSync(path.join(root, document), 'utf8').matchAll(/\]\(([^()\s]+)\)/g);
  return [...links]
    .map(([, link = '']) => link.split('#', 1).join())
    .filter((link) => link !== '' && !/^[a-z]+:/i.test(link))
    .map((link) => path.posix.join(path.posix.dirname(document), link).replace(/\/$/, ''));
}

/**
 * One line for each compiled file in the folder `installed` that names the folder `root` in which it was built, for each bundled
 * package without a notice, and for a package.json that would publish a release candidate as `latest`, or without provenance.
 */
export function findInstalledFileProblems(root: string, installed: string): string[] {
  const compiled = globSync('dist/**/*.js', { cwd: installed }).filter((name) => {
    const file = path.join(installed, name);
    return (readFileSync(file, 'utf8') + readInlineSourceMap(file)).includes(root);
  });
  const notices = readFileSync(path.join(installed, 'dist', noticesFile), 'utf8');
  const bundled = globSync('node_modules/**/package.json', { cwd: installed }).map((name) =>
    readManifest(installed, name),
  );
  // Some packages have further package.json files, without a version.
  const unnamed = bundled.filter(
    ({ name, version }) => version !== undefined && !notices.includes(`${name} ${version}`),
  );
  const { tag, provenance } = readManifest(installed, 'package.json').publishConfig ?? {};
  return [
    ...compiled.map((file) => `the package contains ${root} in ${file}`),
    ...unnamed.map(
      ({ name, version }) => `the package contains ${name} ${version}, which ${noticesFile} does not name`,
    ),
    ...(tag === 'next' && provenance === true
      ? []
      : ['publishConfig in package.json needs the tag next, and provenance']),
  ];
}

function readManifest(folder: string, name: string): z.infer<typeof manifestSchema> {
  return manifestSchema.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
}
