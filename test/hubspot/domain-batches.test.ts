import * as fc from 'fast-check';

import { toDomainBatches } from '../../src/hubspot/object-search.ts';

describe('toDomainChunks', () => {
  it('asks for each domain once, in lower case, in pieces of 100 at most', () => {
    fc.assert(
      fc.property(fc.array(fc.domain(), { maxLength: 400 }), (domains) => {
        const chunks = toDomainBatches([...domains, ...domains.map((domain) => ` ${domain.toUpperCase()}`)], ['name']);
        expect(chunks.flat().sort()).toEqual([...new Set(domains.map((domain) => domain.toLowerCase()))].sort());
        for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('fills a search', () => {
    const domains = Array.from({ length: 250 }, (_, index) => `c${index}.example`);
    expect(toDomainBatches(domains, ['domain', 'name']).map((chunk) => chunk.length)).toEqual([100, 100, 50]);
  });
});
