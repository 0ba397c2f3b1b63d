import { catalogue } from '../../conformance/check-catalogue.ts';
import { clauseTable } from '../../conformance/clauses/clause-table.ts';

const named = Object.values(clauseTable)
  .flatMap((clauses) => Object.values(clauses))
  .flatMap((coverage) => (Array.isArray(coverage) ? coverage : []));

describe('clauseTable', () => {
  it('contains only checks of the catalogue', () => {
    const ids = new Set([...catalogue.map(({ id }) => id), 'clean-up']);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('contains every check of the catalogue, except those without a row, rule or sentence', () => {
    const unnamed = catalogue.filter(({ id }) => !named.includes(id)).map(({ id }) => id);
    expect(unnamed).toEqual([
      'headers.json-errors',
      'headers.json-charset',
      'blacklists.malformed-id',
      'entries.remove-again',
    ]);
  });

  it('has unique check ids in the catalogue', () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  });
});
