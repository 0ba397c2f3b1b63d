import { createUnknownReader, slotSchema } from '../../../src/service/contract/index.ts';

const slot = {
  input_position: 0,
  status: 'ENRICHED',
  reason_codes: ['POLICY_ELIGIBLE'],
  reasons: [{ code: 'POLICY_ELIGIBLE', message: 'Eligible' }],
  company: null,
  delivered_at: '2026-11-21T10:00:00.000000Z',
};

describe('createUnknownReader', () => {
  const read = createUnknownReader(slotSchema);

  it('returns nothing for the examples of the specification', () => {
    expect(read(slot)).toEqual([]);
  });

  it('names new fields and new values, and no other value', () => {
    const news = { ...slot, colour: 'secret', status: 'TELEPORTED', reason_codes: ['POLICY_ELIGIBLE', 'MOON_PHASE'] };
    expect(read({ ...news, reasons: [{ ...slot.reasons[0], hint: 'secret' }] })).toEqual(
      expect.arrayContaining(['colour', 'status=TELEPORTED', 'reason_codes[]=MOON_PHASE', 'reasons[].hint']),
    );
  });

  it('shortens long names and values', () => {
    const long = 'A'.repeat(3_000_000);
    const cut = `${'A'.repeat(59)}…`;
    expect(read({ ...slot, status: long, [long]: 1 })).toEqual(expect.arrayContaining([cut, `status=${cut}`]));
  });

  it('ignores an invalid format, which is not a new value', () => {
    expect(read({ ...slot, delivered_at: 'yesterday' })).toEqual([]);
  });
});
