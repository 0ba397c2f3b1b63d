import { catalogue } from '../../conformance/check-catalogue.ts';
import { clauseTable } from '../../conformance/clauses/clause-table.ts';

const named = Object.values(clauseTable)
  .flatMap((clauses) => Object.values(clauses))
  .flatMap((coverage) => (Array.isArray(coverage) ? coverage : []));

describe('clauseTable', () => {
  it('names checks of the catalogue only', () => {
    const ids = new Set([...catalogue.map(({ id }) => id), 'clean-up']);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('names every check of the catalogue, but those of what stands outside of rows, rules and sentences', () => {
    const unnamed = catalogue.filter(({ id }) => !named.includes(id)).map(({ id }) => id);
    expect(unnamed).toEqual([
      'headers.json-errors',
      'headers.json-charset',
      'blacklists.malformed-id',
      'entries.remove-again',
    ]);
  });

  it('has each id once in the catalogue', () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  });
});
