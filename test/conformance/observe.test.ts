import { z } from 'zod';
import { blacklistSchema, entriesPageSchema } from '../../src/service/contract/blacklist.ts';
import { profileCreationSchema } from '../../src/service/contract/profile.ts';
import { slotSchema } from '../../src/service/contract/result.ts';
import { observe } from '../../conformance/probe/observe.ts';

const id = '00000000-0000-4000-8000-000000000001';
const time = '2026-11-01T10:00:00.000000Z';
const blacklist = { id, name: 'A', description: null, entry_count: 0, created_at: time, updated_at: time };
const creation = {
  profile_creation_id: id,
  status: 'PENDING',
  profile_id: null,
  error_code: null,
  error_message: null,
  created_at: time,
  started_at: null,
  finished_at: null,
};

describe('observe', () => {
  it('returns nothing for a body that follows the contract', () => {
    expect(observe(blacklistSchema, blacklist)).toEqual([]);
    expect(observe(profileCreationSchema, creation)).toEqual([]);
  });

  it.each(['2026-11-01T10:00:00Z', '2026-11-01T10:00:00.000Z', '2026-11-01T10:00:00.000000+00:00', 'yesterday'])(
    'finds %s in a blacklist, which owes microseconds and Z',
    (created_at) => {
      const text = 'created_at: must be ISO 8601 UTC with microseconds and Z';
      expect(observe(blacklistSchema, { ...blacklist, created_at })).toEqual([{ kind: 'finding', text }]);
    },
  );

  it.each([
    ['2026-11-01T10:00:00Z', 'note'],
    ['2026-11-01T10:00:00.123+00:00', 'note'],
    ['2026-11-01T10:00:00+02:00', 'finding'],
    ['2026-11-01 10:00:00', 'finding'],
    ['1793527200', 'finding'],
  ])('classifies the timestamp %s of a profile creation as %s', (created_at, kind) => {
    expect(observe(profileCreationSchema, { ...creation, created_at })).toEqual([expect.objectContaining({ kind })]);
  });

  it('reports unknown fields and values as notes', () => {
    expect(observe(profileCreationSchema, { ...creation, status: 'PAUSED', colour: 'red' })).toEqual([
      { kind: 'note', text: 'drift: status is PAUSED, a value that this version does not know' },
      { kind: 'note', text: 'drift: colour is a field that this version does not know' },
    ]);
  });

  it('hides unusual values and field names', () => {
    const texts = observe(profileCreationSchema, { ...creation, status: 'Jane Doe', 'jane@doe.example': 1 });
    expect(JSON.stringify(texts)).not.toMatch(/jane/i);
    expect(texts).toHaveLength(2);
  });

  it('counts equal violations in a list', () => {
    const entry = {
      id,
      company_name: 'A',
      website_url: null,
      city: null,
      country: null,
      external_id: null,
      reason: null,
    };
    const entries = [{ ...entry, created_at: time }, entry, entry];
    expect(observe(entriesPageSchema, { entries, total: 3, limit: 50, offset: 0 })).toEqual([
      { kind: 'finding', text: 'entries[].created_at: must be string, found nothing (2 times)' },
    ]);
  });

  it('reports a difference from an assumption as a note with its number', () => {
    const slot = {
      input_position: 0,
      status: 'ENRICHED',
      reason_codes: [],
      reasons: [],
      company: { id: 'c-1', name: 7 },
      delivered_at: '1793527200',
    };
    const observed = observe(z.array(slotSchema), [slot]);
    expect(observed.filter(({ kind }) => kind === 'finding')).toEqual([]);
    expect(observed.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'assumed A11: [].company.id: must be a UUID, found 3 characters',
        'assumed A11: [].company.name: must be string, found 7',
        'drift: [].delivered_at is not ISO 8601 UTC',
      ]),
    );
  });
});
