import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseConfig } from '../../src/config/load-config.ts';

const readme = readFileSync(path.join(__dirname, '../../README.md'), 'utf8');

describe('README.md', () => {
  it('contains a valid configuration', () => {
    const example = /```yaml\n([^`]*)```/.exec(readme)?.[1] ?? '';
    const env = { PROSPECTING_API_KEY: 'key', HUBSPOT_TOKEN: 'token' };
    expect(parseConfig(example, { env, file: '/x' })).toMatchObject({ ok: true });
  });

  it('has at most 150 lines', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(150);
  });
});
