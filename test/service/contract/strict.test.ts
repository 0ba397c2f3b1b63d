import { z } from 'zod';
import { blacklistSchema } from '../../../src/service/contract/blacklist.ts';
import { companySchema, prospectSchema } from '../../../src/service/contract/result.ts';
import { operations, slotSchema, toStrict } from '../../../src/service/contract/index.ts';
import { company, prospect, slot as published } from '../../delivery/mapping/slot-builders.ts';
import { order } from '../client/stub-service.ts';

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
  it('accepts the examples of the specification', () => {
    expect(accepts(toStrict(blacklistSchema), blacklist)).toBe(true);
  });

  it.each([
    ['an unknown field', { ...blacklist, colour: 'red' }],
    ['a timestamp without microseconds', { ...blacklist, created_at: '2026-11-21T10:00:00Z' }],
    ['a missing field', { ...blacklist, description: undefined }],
  ])('rejects %s', (_, value) => {
    expect(accepts(toStrict(blacklistSchema), value)).toBe(false);
  });

  it('rejects unknown values that the tolerant schema accepts', () => {
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

  const [full, person] = [company({ prospects: [prospect()] }), prospect()];
  const guesses = Object.keys(full).filter((field) => field !== 'id');
  const ofOrder = operations.getOrder.responses[200];
  const cases: [string, z.ZodType, Record<string, unknown>, string[]][] = [
    ['a company', companySchema, full, guesses],
    ['a person', prospectSchema, person, Object.keys(person)],
    ['an order', ofOrder, order, ['order_type', 'profile_id', 'title', 'features', 'created_at', 'updated_at']],
  ];
  it.each(cases)('requires every assumed field of %s, null included', (_, schema, value, fields) => {
    expect(accepts(toStrict(schema), value)).toBe(true);
    for (const field of fields) {
      const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
      expect({ field, read: accepts(schema, rest), owed: !accepts(toStrict(schema), rest) }).toEqual({
        field,
        read: true,
        owed: true,
      });
      expect({ field, isNullFine: accepts(toStrict(schema), { ...rest, [field]: null }) }).toEqual({
        field,
        isNullFine: true,
      });
    }
  });

  it.each([
    ['external_id', published({ external_id: null })],
    ['duplicate_of_input_position', published({ duplicate_of_input_position: null })],
    ['detail', published({ reasons: [{ code: 'POLICY_ELIGIBLE', message: 'Eligible', detail: null }] })],
  ])('rejects null for %s, which may only be omitted', (_, value) => {
    expect(accepts(slotSchema, value)).toBe(true);
    expect(accepts(toStrict(slotSchema), value)).toBe(false);
    expect(accepts(toStrict(slotSchema), published())).toBe(true);
  });
});
