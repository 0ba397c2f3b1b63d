/**
 * Fails when a relative link of a Markdown document names a file or a heading that does not exist, when a path in backticks does not
 * exist, when a document in docs/ is not reachable from README.md, and when a merge left its marks: `node tools/check-links.ts [FOLDER]`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const documents = globSync(['*.md', 'docs/**/*.md', 'tools/**/*.md'], { cwd: root }).filter(
  (name) => !name.includes('node_modules'),
);
const linked = new Map(documents.map((name) => [name, linksOf(name)]));
const problems = [
  ...[...linked].flatMap(([name, links]) => links.flatMap((link) => checkLink(name, link))),
  ...documents.flatMap(checkPaths),
  ...documents.flatMap(findConflict),
  ...findUnreachable(),
];

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${documents.length} documents, ${[...linked.values()].flat().length} relative links, all valid`);

/** Targets of relative links, without those inside code. */
function linksOf(name: string): string[] {
  const text = withoutCode(readFileSync(path.join(root, name), 'utf8'));
  const targets = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/i.test(target));
}

function checkLink(from: string, link: string): string[] {
  const [file = '', anchor] = link.split('#', 2);
  const target = file === '' ? from : path.posix.join(path.posix.dirname(from), file);
  if (!existsSync(path.join(root, target))) return [`${from}: ${link} does not exist`];
  if (anchor === undefined || !target.endsWith('.md')) return [];
  return anchorsOf(target).has(anchor) ? [] : [`${from}: ${link} is not a heading of ${target}`];
}

/** Paths of the repository, such as `src/cli/main.ts`; one with a placeholder or a wildcard is not checked. */
function checkPaths(name: string): string[] {
  const text = withoutFences(readFileSync(path.join(root, name), 'utf8'));
  const paths = [...text.matchAll(/`((?:[a-z]+\/)[\w./-]*)`/g)].map(([, found = '']) => found);
  return paths
    .filter((found) => isFolder(found.split('/', 1)[0] ?? '') && !existsSync(path.join(root, found)))
    .map((found) => `${name}: \`${found}\` does not exist`);
}

/** The formatter reads code, and no documents. */
function findConflict(name: string): string[] {
  const lines = readFileSync(path.join(root, name), 'utf8').split('\n');
  const number = lines.findIndex((line) => /^(?:<{7}|>{7}) /.test(line)) + 1;
  return number === 0 ? [] : [`${name}: line ${number} is the mark of an unresolved merge`];
}

function isFolder(name: string): boolean {
  return [
    'src',
    'sandbox',
    'conformance',
    'workflows',
    'activities',
    'test',
    'tools',
    'bench',
    'docs',
    'deploy',
  ].includes(name);
}

function findUnreachable(): string[] {
  const reached = new Set(['README.md']);
  for (const from of reached)
    for (const link of linked.get(from) ?? []) {
      const target = path.posix.join(path.posix.dirname(from), link.split('#', 1)[0] ?? '');
      if (linked.has(target)) reached.add(target);
    }
  const isRecord = (name: string) => name.startsWith('docs/decisions/');
  return documents
    .filter((name) => name.startsWith('docs/') && !isRecord(name) && !reached.has(name))
    .map((name) => `${name}: no document that README.md leads to links to it`);
}

/** Anchors in GitHub's form: lower case, without punctuation, spaces as hyphens, a number where a heading repeats. */
function anchorsOf(name: string): Set<string> {
  const counts = new Map<string, number>();
  const text = withoutFences(readFileSync(path.join(root, name), 'utf8'));
  const anchors = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const plain = heading.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

function withoutCode(text: string): string {
  return withoutFences(text).replaceAll(/`[^`\n]*`/g, '');
}

function withoutFences(text: string): string {
  return text
    .split(/^```/m)
    .filter((_, index) => index % 2 === 0)
    .join('');
}
