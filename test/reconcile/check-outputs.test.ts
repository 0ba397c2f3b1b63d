import { outputStates } from '../../src/ledger/tables.ts';
import { findingDescriptions } from '../../src/report/finding-descriptions.ts';
import { toOutputFindings } from '../../src/reconcile/order-checks.ts';

describe('toOutputFindings', () => {
  it('counts outputs by their problem', () => {
    const outputs = (['failed', 'delivered', 'rows_differ', 'failed', 'requested', 'ready'] as const).map((state) => ({
      state,
    }));
    expect(toOutputFindings(outputs)).toEqual([
      { code: 'service_output_failed', count: 2, positions: [] },
      { code: 'service_output_rows_differ', count: 1, positions: [] },
    ]);
    expect(toOutputFindings([])).toEqual([]);
  });

  it('returns only codes that have a description', () => {
    for (const { code } of toOutputFindings(outputStates.map((state) => ({ state })))) {
      expect(Object.keys(findingDescriptions)).toContain(code);
    }
  });
});
