import { z } from 'zod';
import { blacklistSchema } from '../../src/contract/blacklist.ts';
import { slotSchema, toStrict } from '../../src/contract/index.ts';

const blacklist = {
  id: '3f0f4b0e-6f0a-4d8e-9d55-0a1b2c3d4e5f',
  name: 'Customers',
  description: null,
  entry_count: 0,
  created_at: '2026-11-21T10:00:00.000000Z',
  updated_at: '2026-11-21T10:00:00.000000Z',
};
const accepts = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success;

describe('toStrict', () => {
  it('accepts what the specification shows', () => {
    expect(accepts(toStrict(blacklistSchema), blacklist)).toBe(true);
  });

  it.each([
    ['an unknown field', { ...blacklist, colour: 'red' }],
    ['a timestamp without microseconds', { ...blacklist, created_at: '2026-11-21T10:00:00Z' }],
    ['a missing field', { ...blacklist, description: undefined }],
  ])('refuses %s', (_, value) => {
    expect(accepts(toStrict(blacklistSchema), value)).toBe(false);
  });

  it('refuses words that the tolerant schema lets pass', () => {
    const slot = {
      input_position: 0,
      status: 'TELEPORTED',
      reason_codes: ['POLICY_ELIGIBLE'],
      reasons: [{ code: 'POLICY_ELIGIBLE', message: 'Eligible' }],
      company: null,
      delivered_at: '2026-11-21T10:00:00.000000Z',
    };
    expect(accepts(slotSchema, slot)).toBe(true);
    expect(accepts(toStrict(slotSchema), slot)).toBe(false);
    expect(accepts(toStrict(slotSchema), { ...slot, status: 'ENRICHED' })).toBe(true);
  });
});
