import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const sources = globSync(
  ['{src,activities,workflows,sandbox,conformance}/**/*.ts', 'docs/*.md', '*.md', 'deploy/**/*'],
  {
    cwd: root,
    withFileTypes: true,
  },
).filter((entry) => entry.isFile());

/** A command that is ready to paste: `prospect-sync …`, or the name of a command, in one line with the option. */
const confirmed =
  /(?:prospect-sync|\b(?:run|ingest|retry|exclusions|schedule|suppressions|replies|forget|retention|websites|secrets)) [^`|\n]*--yes\b|\$\{[^}]*\} --yes\b/;

describe('commands in messages, remedies and documentation', () => {
  it.each([
    ['run: prospect-sync exclusions delete 7c1e --yes', true],
    ['$ npx prospect-sync forget acme.example --yes', true],
    ['`exclusions delete NAME --yes` deletes it', true],
    ['Nothing was changed. To do it, add --yes', false],
  ])('are recognised: %s', (text, expected) => expect(confirmed.test(text)).toBe(expected));

  it('never contain --yes: what a user pastes must ask', () => {
    expect(sources.length).toBeGreaterThan(300);
    const found = sources.flatMap(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.filter((line) => confirmed.test(line)).map((line) => `${path.relative(root, file)}: ${line.trim()}`);
    });
    expect(found).toEqual([]);
  });
});
