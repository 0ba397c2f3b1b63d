import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseConfig } from '../../../src/config/load-config.ts';
import { managedProperties } from '../../../src/hubspot/managed-properties.ts';
import { policies } from '../../../src/delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { sourcePaths } from '../../../src/delivery/mapping/source-paths.ts';
import { transformNames, transforms } from '../../../src/delivery/mapping/transforms.ts';

const text = readFileSync(path.join(__dirname, '../../../docs/mapping.md'), 'utf8');
const rowsUnder = (heading: string) =>
  (text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '));
const words = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word);

describe('docs/mapping.md', () => {
  it('contains an example that is valid', () => {
    const example = /```yaml\n([^]*?)```/.exec(text)?.[1] ?? '';
    const head = 'service: {base_url: https://a.example, api_key: {env: KEY}}\nhubspot: {token: {env: TOKEN}}\n';
    expect(parseConfig(head + example, { env: { KEY: 'k', TOKEN: 't' }, file: '/x' })).toMatchObject({ ok: true });
  });

  it('lists the defaults', () => {
    const listed = rowsUnder('Defaults').map((row) => [row[0], ...row.slice(1).flatMap(words)]);
    const defaults = (['companies', 'contacts'] as const).flatMap((object) =>
      Object.entries(defaultMapping[object]).map(([property, { from }]) => [object, property, from]),
    );
    expect(listed).toEqual(defaults);
  });

  it('lists every path', () => {
    const plain = (fields = '') => fields.replace(/\(records:.*?\)/g, '');
    const listed = rowsUnder('Paths').flatMap(([root, , fields]) =>
      words(plain(fields)).map((field) => `${words(root)[0]}.${field}`),
    );
    expect(listed).toEqual([...sourcePaths.keys()].filter((path) => path.split('.').length === 2));
  });

  it('lists every policy, and every transform with the values it accepts', () => {
    const kinds: Record<string, string> = {
      'a text': 'text',
      'a number': 'number',
      'a list': 'list',
      records: 'records',
    };
    const listed = rowsUnder('Transforms').flatMap(([names, takes = '']) =>
      words(names).map((name): [string | undefined, unknown] => [name, takes.split(', ').map((kind) => kinds[kind])]),
    );
    expect(new Map(listed)).toEqual(new Map(transformNames.map((name) => [name, transforms[name].takes])));
    const named = rowsUnder('Policies').flatMap(([name]) => words(name));
    expect(new Set(named)).toEqual(new Set([...policies, 'never']));
  });

  it('names every managed property', () => {
    const names = Object.values(managedProperties).flatMap((properties) => properties.map(({ name }) => name));
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
