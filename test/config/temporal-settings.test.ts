import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { parseTemporalConfig } from '../../src/config/load-config.ts';
import { head, parse } from './config-harness.ts';
import { runsOf } from '../helpers/sample.ts';

const key = randomBytes(32).toString('base64');
const older = randomBytes(32).toString('base64');
const env = { KEY: 'k', TOKEN: 't', NEW: key, OLD: older };
const encryption = 'temporal: {encryption: {key: {id: 2026-11, env: NEW}, older_keys: [{id: "1", env: OLD}]}}';
const read = (text: string, variables: Record<string, string | undefined> = env) => parse(text, variables);

describe('temporal.encryption', () => {
  it('reads keys from variables, and does not print them', () => {
    const parsed = read(head + encryption);
    if (!parsed.ok || parsed.config.temporal.encryption === null) throw new Error('not read');
    const { key: current, olderKeys } = parsed.config.temporal.encryption;
    expect([current, ...olderKeys].map(({ id, secret }) => [id, secret.reveal()])).toEqual([
      ['2026-11', key],
      ['1', older],
    ]);
    expect(inspect(parsed, { depth: null }) + JSON.stringify(parsed)).not.toContain(key.slice(0, 10));
  });

  it('rejects plain payloads by default', () => {
    const acceptPlain = (text: string) => {
      const parsed = read(`${head}temporal: {encryption: {key: {id: a, env: NEW}${text}}}`);
      return parsed.ok ? parsed.config.temporal.encryption?.acceptPlain : parsed.problems[0]?.rule;
    };
    expect(['', ', accept_plain: true'].map(acceptPlain)).toEqual([false, true]);
    expect(acceptPlain(', accept_plain: maybe')).toContain('true or false');
  });

  it('rejects a key of another length than 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const value = Buffer.from(bytes).toString('base64');
        fc.pre(bytes.length !== 32 && bytes.length > 0);
        expect(read(head + encryption, { ...env, NEW: value })).toMatchObject({
          ok: false,
          problems: [
            {
              line: 3,
              field: 'temporal.encryption.key.env',
              rule: 'environment variable NEW must hold a key of 32 bytes in base64 (openssl rand -base64 32)',
              found: null,
            },
          ],
        });
      }),
      { numRuns: runsOf(30) },
    );
  });

  it('accepts every key of 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(read(head + encryption, { ...env, NEW: Buffer.from(bytes).toString('base64') }).ok).toBe(true);
      }),
      { numRuns: runsOf(30) },
    );
  });

  it.each([
    ['a variable that is not set', 'key: {id: a, env: GONE}', 'environment variable GONE is not set'],
    ['an older key that is not set', 'key: {id: a, env: NEW}, older_keys: [{id: b, env: GONE}]', 'GONE is not set'],
    ['two keys of one id', 'key: {id: a, env: NEW}, older_keys: [{id: a, env: OLD}]', 'already the id of another key'],
    ['an id that is none', 'key: {id: "a b", env: NEW}', 'an id consists of up to 64'],
    ['no key', 'older_keys: []', 'is missing'],
    ['a key in the file', `key: "${key}"`, 'must be a map of settings'],
    [
      'a key in the place of its variable',
      `key: {id: a, env: "${key}"}`,
      'must be the name of an environment variable',
    ],
  ])('rejects %s, and never shows a key', (_, text, rule) => {
    const parsed = read(`${head}temporal: {encryption: {${text}}}`);
    expect(parsed).toMatchObject({ ok: false, problems: [{ rule: expect.stringContaining(rule) as string }] });
    expect(JSON.stringify(parsed)).not.toContain(key.slice(0, 10));
  });
});

describe('parseTemporalConfig', () => {
  it('reads its own section, whatever the other sections contain', () => {
    const parsed = parseTemporalConfig(`service: {base_url: 1}\nnonsense: true\n${encryption}`, { env });
    expect(parsed).toMatchObject({ ok: true, config: { encryption: { key: { id: '2026-11' } } } });
  });

  it('reports problems of its own section with their lines', () => {
    expect(parseTemporalConfig(`${head}${encryption}`, { env: { OLD: older } })).toMatchObject({
      ok: false,
      problems: [{ line: 3, field: 'temporal.encryption.key.env' }],
    });
  });

  it.each([
    ['no YAML', 'a: [', 'is not valid YAML'],
    ['a list', '[]', 'must be a map'],
  ])('rejects a file that is %s', (_, text, rule) => {
    expect(parseTemporalConfig(text, { env })).toMatchObject({
      ok: false,
      problems: [{ rule: expect.stringContaining(rule) as string }],
    });
  });
});
