import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const files = globSync('{src,activities,workflows}/**/*.ts', { cwd: root });

/** Overloads of a function stand in one file. */
function repeated(entries: readonly (readonly [name: string, file: string])[]) {
  const found = [...Map.groupBy(entries, ([name]) => name)]
    .map(([name, places]) => [name, [...new Set(places.map(([, file]) => file))]] as const)
    .filter(([, places]) => places.length > 1);
  return Object.fromEntries(found);
}

describe('names in src, activities and workflows', () => {
  it('a file name stands for one file', () => {
    expect(files.length).toBeGreaterThan(300);
    const names = files.map((file) => [path.basename(file), file] as const);
    expect(repeated(names.filter(([name]) => name !== 'index.ts'))).toEqual({});
  });

  it('an exported type, class or constant stands for one thing', () => {
    const exported = files.flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return [...text.matchAll(/^export (?:type|interface|class|const) (\w+)/gm)].map(
        ([, name = '']) => [name, file] as const,
      );
    });
    expect(exported.length).toBeGreaterThan(800);
    expect(repeated(exported)).toEqual({});
  });

  it('an exported function stands for one function, but for those of commands, which are called by their module', () => {
    const exported = files
      .filter((file) => !file.startsWith('src/cli/'))
      .flatMap((file) => {
        const text = readFileSync(path.join(root, file), 'utf8');
        return [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(
          ([, name = '']) => [name, file] as const,
        );
      });
    expect(exported.length).toBeGreaterThan(800);
    expect(repeated(exported)).toEqual({});
  });
});
