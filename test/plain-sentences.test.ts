import { parse, stringify } from 'yaml';
import { withRemedy } from '../src/base/failures/application-failure.ts';
import { failureDescriptions, isFailureType } from '../src/base/failures/failure-descriptions.ts';
import { withoutDoctor, withoutRetries } from '../src/base/failures/remedies-in-commands.ts';
import { configTemplate, uncommentSettings } from '../src/config/file-schema.ts';
import { parseConfig } from '../src/config/load-config.ts';
import { formatProblems } from '../src/config/problems.ts';
import { HubSpotError, type HubSpotErrorFacts } from '../src/hubspot/hubspot-error.ts';
import { explainPostgres } from '../src/ledger/postgres.ts';
import { explainSqlite } from '../src/ledger/sqlite.ts';
import { findingDescriptions } from '../src/proof/report/finding-descriptions.ts';
import { ProspectingError, type ProspectingErrorKind } from '../src/service/client/prospecting-error.ts';
import { faultsOf } from './plain-sentences.ts';

/** Texts of other programs, with and without an end. */
const events = ['It failed', 'It failed.', 'It failed. ', 'Did it fail?', 'Out of memory!'];

describe('faultsOf', () => {
  it.each(['It failed..', 'It failed. . Try', 'It failed?. Try', 'It  failed', 'It failed. try again', 'It failed .'])(
    'finds the fault of %j',
    (text) => {
      expect(faultsOf(text)).not.toEqual([]);
    },
  );

  it.each([
    'See ../x.csv and .gitignore.',
    'The id begins with 12… Write more.',
    'Run it. prospect-sync does the rest.',
  ])('finds none in %j', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

describe('messages', () => {
  it('of failures have one full stop behind each sentence, also behind texts of other programs', () => {
    const types = Object.keys(failureDescriptions).filter(isFailureType);
    const texts = types.flatMap((type) => {
      const messages = events.map((event) => withRemedy(type, event));
      return [
        failureDescriptions[type].description,
        ...messages,
        ...messages.map(withoutRetries),
        ...messages.map(withoutDoctor),
      ];
    });
    expect(texts.flatMap(faultsOf)).toEqual([]);
  });

  it('of findings have one full stop behind each sentence', () => {
    const texts = Object.values(findingDescriptions).flatMap(({ description, remedy }) => [
      `${description} ${remedy}`,
      withoutRetries(remedy),
    ]);
    expect(texts.flatMap(faultsOf)).toEqual([]);
  });

  it('of HubSpot and of the service have one full stop behind each sentence', () => {
    const kinds: readonly HubSpotErrorFacts['kind'][] = [
      'http',
      'connection',
      'timeout',
      'cancelled',
      'answer',
      'postponed',
    ];
    const codes = ['ECONNRESET', 'WRONG_PORTAL', 'WRONG_PORTAL_TYPE', 'PROPERTY_MISSING', 'OTHER', undefined];
    const crm = kinds.flatMap((kind) =>
      codes.map(
        (code) => new HubSpotError({ method: 'GET', path: '/x', kind, code, status: 403, retryAfterSeconds: 90 }),
      ),
    );
    const ofService: readonly ProspectingErrorKind[] = [
      'request',
      'connection',
      'timeout',
      'cancelled',
      'http',
      'redirect',
      'api_redirect',
      'unreadable',
      'contract',
    ];
    const service = ofService.flatMap((kind) =>
      events.map(
        (detail) =>
          new ProspectingError({ method: 'GET', path: '/x', kind, status: 422, code: 'X', detail: detail.trim() }),
      ),
    );
    const messages = [...crm, ...service].map(({ message }) => message);
    expect(messages.flatMap((text) => [text, withRemedy('HubSpotFault', text)]).flatMap(faultsOf)).toEqual([]);
  });

  it('of the ledger have one full stop behind each sentence', () => {
    const ofSqlite = [3, 5, 8, 10, 11, 13, 14, 26, 99].map((errcode) => ({ errcode, code: 'ERR_SQLITE_ERROR' }));
    const ofSystem = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'EISDIR', 'ENOSPC'];
    const files = [...ofSqlite, ...ofSystem.map((code) => ({ code }))].map((facts) =>
      explainSqlite(Object.assign(new Error('It failed.'), facts), '/data/ledger.db'),
    );
    const servers = [
      ...events.map((text) => new Error(text)),
      ...['ECONNREFUSED', 'CERT_HAS_EXPIRED'].map((code) => Object.assign(new Error('x'), { code })),
    ];
    const messages = [...files, ...servers.map((error) => explainPostgres(error, 'db:5432'))].flatMap((error) =>
      error instanceof Error ? [error.message] : [],
    );
    expect(messages).toHaveLength(files.length + servers.length);
    expect(messages.flatMap((text) => [text, withRemedy('LedgerRefused', text)]).flatMap(faultsOf)).toEqual([]);
  });
});

/** The paths of all settings, of sections too. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsOf(inner).map((path) => [key, ...path])]);
}

function withValue(value: unknown, [key, ...rest]: readonly string[], changed: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return changed;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === key ? withValue(inner, rest, changed) : inner,
  ]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

describe('problems of the configuration', () => {
  const whole: unknown = parse(uncommentSettings(configTemplate()));
  const paths = pathsOf(whole);
  const problemsOf = (text: string) => {
    const parsed = parseConfig(text, { env: {}, file: '/x/prospect-sync.yaml' });
    return parsed.ok ? [] : formatProblems(parsed, 'prospect-sync.yaml').split('\n');
  };

  it('have one full stop behind each sentence, whichever setting has a value of another kind', () => {
    expect(paths.length).toBeGreaterThan(100);
    const wrong = ['Wrong', -1, [7], { wrnog: 1 }];
    const texts = paths.flatMap((path, index) =>
      problemsOf(stringify(withValue(whole, path, wrong[index % wrong.length]))),
    );
    expect(texts.length).toBeGreaterThan(paths.length);
    expect([...new Set(texts.flatMap(faultsOf))]).toEqual([]);
  });

  it.each(['service: "open', 'a: [1', 'a:\n\tb: 1', 'a: "\\q"', 'a: *b', 'a: 1\na: 2', '- 1', ': :', 'a: b: c', '%'])(
    'have one full stop behind each sentence for the file %j',
    (text) => {
      const texts = problemsOf(text);
      expect(texts).not.toEqual([]);
      expect(texts.flatMap(faultsOf)).toEqual([]);
    },
  );
});
