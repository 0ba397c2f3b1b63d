import * as fc from 'fast-check';

import { HubSpotError } from '../../src/hubspot/hubspot-error.ts';
import { anyCharacter } from '../helpers/random-text.ts';

describe('HubSpotError', () => {
  const refused = { kind: 'http', method: 'POST', path: '/crm/v3/objects/companies/batch/upsert' } as const;

  it('contains method, path, status and the exceeded limit', () => {
    const error = new HubSpotError({
      ...refused,
      status: 429,
      category: 'RATE_LIMIT',
      policyName: 'TEN_SECONDLY_ROLLING',
    });
    expect(error.message).toBe(
      'POST /crm/v3/objects/companies/batch/upsert failed with status 429 (TEN_SECONDLY_ROLLING)',
    );
    expect(error.name).toBe('HubSpotError');
    expect(error).toMatchObject({ kind: 'http', status: 429, category: 'RATE_LIMIT', traceIds: [] });
  });

  it.each([
    [{ ...refused, status: 502 }, 'failed with status 502'],
    [{ ...refused, status: 400, category: 'VALIDATION_ERROR' }, 'failed with status 400 (VALIDATION_ERROR)'],
    [
      { ...refused, status: 207, category: 'VALIDATION_ERROR', code: 'PROPERTY_DOESNT_EXIST', property: 'missing' },
      'failed with status 207 (PROPERTY_DOESNT_EXIST: missing)',
    ],
    [
      { ...refused, kind: 'connection', code: 'ECONNRESET' },
      'got no answer: the connection was closed by the other side (ECONNRESET)',
    ],
    [{ ...refused, kind: 'timeout', timeoutMs: 500 }, 'timed out: hubspot.timeout is 500 ms'],
    [{ ...refused, kind: 'cancelled' }, 'was cancelled'],
    [
      { ...refused, kind: 'postponed', policyName: 'DAILY', retryAfterSeconds: 15_061 },
      'was not sent: the remaining daily calls are reserved by hubspot.budget.daily_reserve_percent (DAILY); possible again in 4 h 12 min',
    ],
    [
      { ...refused, kind: 'postponed', code: 'STATUS_423', retryAfterSeconds: 19.2 },
      'was not sent: HubSpot requested a pause (STATUS_423); possible again in 20 s',
    ],
    [
      { ...refused, status: 403, category: 'MISSING_SCOPES', requiredScopes: ['crm.a.read', 'crm.b.read'] },
      'failed with status 403 (MISSING_SCOPES: crm.a.read or crm.b.read)',
    ],
    [
      { ...refused, kind: 'answer', code: 'WRONG_PORTAL', portal: { expected: '8', found: '7' } },
      'returned another portal than hubspot.portal_id, or than that of the ledger (WRONG_PORTAL: expected 8, found 7); check hubspot.token and hubspot.portal_id; a ledger belongs to one portal',
    ],
    [
      { ...refused, kind: 'answer', code: 'PROPERTY_MISSING', property: 'a, b' },
      'does not contain a required property (PROPERTY_MISSING: a, b); create it in HubSpot, or remove it from the mapping; run `prospect-sync doctor` for details',
    ],
    [{ ...refused, kind: 'answer', code: 'UNREADABLE_ANSWER' }, 'returned an unusable answer (UNREADABLE_ANSWER)'],
  ] as const)('describes %j', (facts, outcome) => {
    expect(new HubSpotError(facts).message).toBe(`POST /crm/v3/objects/companies/batch/upsert ${outcome}`);
  });

  it.each([
    'WRONG_PORTAL',
    'WRONG_PORTAL_TYPE',
    'PROPERTY_MISSING',
    'PROPERTY_READ_ONLY',
    'PROPERTY_TYPE_DIFFERS',
    'PROPERTY_OPTION_MISSING',
    'PROPERTY_NOT_UNIQUE',
  ])('does not blame HubSpot for %s, and names a setting or doctor', (code) => {
    const { message } = new HubSpotError({ ...refused, kind: 'answer', code, property: 'a' });
    expect(message).not.toContain('cannot be used');
    expect(message).toContain(`(${code}: a); `);
    expect(message).toMatch(/check hubspot\.|run `prospect-sync doctor` for details$/);
    // HubSpot may use the same code for its own errors.
    expect(new HubSpotError({ ...refused, status: 400, code }).message).toMatch(/failed with status 400 \(\w+\)$/);
  });

  it('never contains an email address or a query', () => {
    fc.assert(
      fc.property(
        fc.emailAddress(),
        fc.boolean(),
        fc.string({ unit: anyCharacter }).map(encodeURIComponent),
        (email, encoded, query) => {
          const segment = encoded ? encodeURIComponent(email) : email.replaceAll(/[/?#]/g, '');
          const path = `/communication-preferences/v3/status/${segment}/unsubscribe-all?${query}`;
          const error = new HubSpotError({ kind: 'http', method: 'POST', path, status: 404 });
          expect(error.path).toBe('/communication-preferences/v3/status/{email}/unsubscribe-all');
          expect(error.message).toBe(`POST ${error.path} failed with status 404`);
        },
      ),
    );
  });
});
