import { createUnknownReader, slotSchema } from '../../src/contract/index.ts';

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

  it('finds nothing in what the specification shows', () => {
    expect(read(slot)).toEqual([]);
  });

  it('names new fields and new words, and no other value', () => {
    const news = { ...slot, colour: 'secret', status: 'TELEPORTED', reason_codes: ['POLICY_ELIGIBLE', 'MOON_PHASE'] };
    expect(read({ ...news, reasons: [{ ...slot.reasons[0], hint: 'secret' }] })).toEqual(
      expect.arrayContaining(['colour', 'status=TELEPORTED', 'reason_codes[]=MOON_PHASE', 'reasons[].hint']),
    );
  });

  it('cuts long names and words', () => {
    const long = 'A'.repeat(3_000_000);
    const cut = `${'A'.repeat(59)}…`;
    expect(read({ ...slot, status: long, [long]: 1 })).toEqual(expect.arrayContaining([cut, `status=${cut}`]));
  });

  it('is silent about form: that is no news', () => {
    expect(read({ ...slot, delivered_at: 'yesterday' })).toEqual([]);
  });
});
