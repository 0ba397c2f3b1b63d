import * as fc from 'fast-check';

import { toDomainBatches } from '../../src/hubspot/object-search.ts';

describe('toDomainBatches', () => {
  it('contains each domain once, in lower case, in batches of at most 100', () => {
    fc.assert(
      fc.property(fc.array(fc.domain(), { maxLength: 400 }), (domains) => {
        const chunks = toDomainBatches([...domains, ...domains.map((domain) => ` ${domain.toUpperCase()}`)], ['name']);
        expect(chunks.flat().sort()).toEqual([...new Set(domains.map((domain) => domain.toLowerCase()))].sort());
        for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('fills each search with as many domains as its limits allow', () => {
    const domains = Array.from({ length: 250 }, (_, index) => `c${index}.example`);
    expect(toDomainBatches(domains, ['domain', 'name']).map((chunk) => chunk.length)).toEqual([100, 100, 50]);
  });
});
