import { readdir, readFile } from 'node:fs/promises';
import { knownVariables, warnOfMisspeltVariables } from '../../src/temporal/misspelt-variables.ts';

const warnOf = (...names: string[]) => warnOfMisspeltVariables(Object.fromEntries(names.map((name) => [name, 'x'])));

describe('a misspelt environment variable', () => {
  it.each([
    ['TEMPORAL_ADRESS', 'TEMPORAL_ADDRESS'],
    ['TEMPORAL_NAMESPACES', 'TEMPORAL_NAMESPACE'],
    ['TEMPORAL_APIKEY', 'TEMPORAL_API_KEY'],
    ['TEMPORAL_TASKQUEUE', 'TEMPORAL_TASK_QUEUE'],
    ['PROSPECT_SYNC_ENV_ALOWED', 'PROSPECT_SYNC_ENV_ALLOWED'],
    ['PROSPECT_SYNC_HEALTHPORT', 'PROSPECT_SYNC_HEALTH_PORT'],
  ])('is named: %s', (name, meant) => {
    expect(warnOf(name)).toEqual([`The environment variable ${name} has no effect. Did you mean ${meant}?`]);
  });

  it('is not one of those that the documentation names', async () => {
    const pages = (await readdir('docs')).filter((page) => page.endsWith('.md'));
    const texts = await Promise.all(
      ['README.md', ...pages.map((page) => `docs/${page}`)].map((page) => readFile(page, 'utf8')),
    );
    const names = new Set(texts.flatMap((text) => text.match(/\b(?:TEMPORAL|PROSPECT_SYNC)_[A-Z_]*[A-Z]\b/g) ?? []));
    expect(names.size).toBeGreaterThan(15);
    expect([...names].filter((name) => !knownVariables.includes(name))).toEqual([]);
    expect(warnOf(...names)).toEqual([]);
  });

  it.each([
    'TEMPORAL_GRPC_META_X_REGION',
    'TEMPORAL_TLS_CA',
    'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION',
    'TEMPORAL_SERVICE_HOST',
    'TEMPORAL_PORT_7233_TCP',
    'TEMPORAL_FRONTEND_SERVICE_PORT',
    'TEMPORAL_HOST_PORT',
    'TEMPORAL_URL',
    'TEMPORAL_VERSION',
    'TEMPORAL_CLI_VERSION',
    'TEMPORAL_ADDRESS_2',
    'PROSPECT_SYNC_TOKEN',
    'PROSPECT_SYNC_HUBSPOT_TOKEN',
    'MY_TEMPORAL_ADRESS',
  ])('is not another name: %s', (name) => expect(warnOf(name)).toEqual([]));
});
