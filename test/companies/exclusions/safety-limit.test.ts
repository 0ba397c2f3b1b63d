import { evaluateRemovals, type RemovalContext } from '../../../src/companies/exclusions/removal-set.ts';

const set = { digest: '1f0c9a7be2d45833', released: 10 };
const approvedAt = '2026-11-20T12:00:00.000Z';

const evaluate = (context: Partial<RemovalContext>, released = set.released) =>
  evaluateRemovals(
    { ...set, released },
    {
      limits: { maxEntries: 500, maxPercent: 10 },
      before: 100,
      shrunkSources: [],
      proposal: undefined,
      ...context,
    },
  );

describe('evaluateRemovals', () => {
  it('allows removals up to the limits, and keeps others pending', () => {
    expect(evaluate({})).toEqual({ approved: null, because: null });
    expect(evaluate({ before: 99 })).toEqual({ approved: null, because: 'max_percent' });
    expect(evaluate({ limits: { maxEntries: 9, maxPercent: 100 } })).toEqual({
      approved: null,
      because: 'max_entries',
    });
  });

  it('keeps removals pending after a source was emptied, unless they release no company', () => {
    const context = { shrunkSources: ['open_deals'] };
    expect(evaluate(context, 1)).toEqual({ approved: null, because: 'source_shrunk' });
    expect(evaluate(context, 0)).toEqual({ approved: null, because: null });
  });

  it('allows an approved set once', () => {
    const proposal = { approvedAt, removedAt: null };
    expect(evaluate({ before: 10, proposal })).toEqual({ approved: set.digest, because: null });
    expect(evaluate({ before: 10, proposal: { ...proposal, approvedAt: null } }).because).toBe('max_percent');
    expect(evaluate({ before: 10, proposal: { ...proposal, removedAt: approvedAt } }).because).toBe('max_percent');
  });
});
