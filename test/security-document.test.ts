import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');

describe('SECURITY.md', () => {
  it('names tests and documents that exist', () => {
    const named = [...text.matchAll(/`(test\/[\w./-]+)`|\]\(([\w./-]+\.md)(?:#[\w-]+)?\)/g)].map(
      ([, test, document]) => test ?? document ?? '',
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
