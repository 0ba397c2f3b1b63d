/**
 * Proves that npm can verify whatever it installs: every package of the lockfile has a digest, and none names a
 * registry, because each machine configures its own.
 *   node tools/check-lockfile.ts [LOCKFILE]
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const lockfileSchema = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({ integrity: z.string().optional(), resolved: z.string().optional(), link: z.boolean().optional() }),
  ),
});
type Entry = z.infer<typeof lockfileSchema>['packages'][string];

const file = process.argv[2] ?? path.join(import.meta.dirname, '../package-lock.json');
const { packages } = lockfileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const problems = Object.entries(packages).flatMap(([name, entry]) => findProblems(name, entry));
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    `${file} has ${problems.length} entries that npm cannot verify. Choose versions that the registry lists for every platform, ` +
      'and write the lockfile again: npm install --package-lock-only (docs/decisions/008-complete-lockfile.md).',
  );
  process.exitCode = 1;
} else console.log(`${Object.keys(packages).length} entries, each with a digest or in this folder`);

function findProblems(name: string, { integrity, resolved, link = false }: Entry): string[] {
  // A folder of the repository has no digest, nor has a link to one or a copy of it.
  const isOwn = isOwnFolder(name) && !name.split('/').includes('node_modules');
  const source = link ? resolved : /^file:(.+)$/.exec(resolved ?? '')?.[1];
  if (isOwn || (source !== undefined && isOwnFolder(source))) return [];
  return [
    ...(integrity?.startsWith('sha512-') ? [] : [`${name}: no SHA-512 digest`]),
    ...(resolved === undefined ? [] : [`${name}: names where it comes from: ${resolved}`]),
  ];
}

function isOwnFolder(place: string): boolean {
  const isRelative = !/^[a-z+]+:/i.test(place) && !path.isAbsolute(place);
  return isRelative && !path.normalize(place).startsWith('..');
}
