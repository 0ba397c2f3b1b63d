import { existsSync, readFileSync } from 'node:fs';
import { alternatives } from '../../../sandbox/service/dialect/alternatives.ts';
import { assumptions } from '../../../src/service/contract/index.ts';

const openapi = readFileSync('openapi.json', 'utf8');
const rows = Object.entries<{ about: string; choice: string; setting: string }>(assumptions);

/** The file must declare the name, not only mention it. */
function isDeclaredIn(file: string, name: string): boolean {
  const declared = new RegExp(
    `(?:function\\*?|const|class|interface|type) ${name}\\b|^\\s*(?:readonly )?${name}\\??[(:,]`,
    'm',
  );
  return declared.test(readFileSync(file, 'utf8'));
}

/** The errors in one part of a setting; null when it names no place. */
function faultsOf(id: string, part: string): string[] | null {
  if (part === 'the schema that carries the mark, in src/service/contract/')
    return openapi.includes(`"x-assumed": "${id}"`) ? [] : ['openapi.json has no such mark'];
  const files = part.match(/\b(?:src|sandbox|docs|tools)\/[\w/.-]+\.\w+/g) ?? [];
  const [, option] = /`sandbox --assume (\w+)=/.exec(part) ?? [];
  if (option !== undefined) return Object.hasOwn(alternatives, option) ? [] : [`no option ${option}`];
  const [, key] = /`(?:\w+\.)*(\w+)` in prospect-sync\.yaml/.exec(part) ?? [];
  if (key !== undefined) return isDeclaredIn('src/config/service-settings.ts', key) ? [] : [`no key ${key}`];
  if (files.length === 0) return /^none\b/.test(part) ? [] : null;
  const lost = files.filter((file) => !existsSync(file));
  if (lost.length > 0) return lost.map((file) => `no file ${file}`);
  const names = [...part.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  return names.flatMap((name) =>
    files.filter((file) => !isDeclaredIn(file, name)).map((file) => `no ${name} in ${file}`),
  );
}

describe('assumptions', () => {
  it.each(rows)('%s names an existing place that changes it', (id, { setting }) => {
    const parts = setting.split('; ').map((part) => faultsOf(id, part));
    expect(parts[0]).not.toBeNull();
    expect(parts.flatMap((faults) => faults ?? [])).toEqual([]);
  });

  it('reports an assumption whose place does not exist', () => {
    const mark = 'the schema that carries the mark, in src/service/contract/';
    expect(faultsOf('A14', '`notFoundCodes` in src/service/contract/errors.ts')).toEqual([
      'no notFoundCodes in src/service/contract/errors.ts',
    ]);
    expect(faultsOf('A13', '`scopes` in src/service/contract/operations.ts')).toHaveLength(1);
    expect(faultsOf('A13', 'src/service/contract/nowhere.ts')).toEqual(['no file src/service/contract/nowhere.ts']);
    expect(faultsOf('A99', mark)).toHaveLength(1);
    expect(faultsOf('A99', '`sandbox --assume nothing=1`')).toHaveLength(1);
    expect(faultsOf('A99', '`service.nothing` in prospect-sync.yaml')).toHaveLength(1);
    expect(faultsOf('A99', 'somewhere')).toBeNull();
  });

  it('are sorted by their ids without repetition', () => {
    const ids = rows.map(([id]) => id);
    expect(ids).toEqual(ids.toSorted());
    for (const id of ids) expect(id).toMatch(/^A\d\d$/);
    // A bar would end the cell in docs/assumptions.md.
    for (const [, row] of rows) expect(Object.values(row).join('')).not.toMatch(/[|\n]/);
  });
});
