import { createJournal, type JournalEntry } from '../../sandbox/request-journal.ts';

function asked(fields: Partial<JournalEntry> = {}) {
  return {
    at: 0,
    method: 'GET',
    path: '/api/v1/orders/1/results?limit=5',
    status: 200,
    owner: 'a',
    code: null,
    idempotency_key: null,
    fault_id: null,
    ...fields,
  };
}

describe('createJournal', () => {
  it('filters by every given field', () => {
    const journal = createJournal();
    journal.add(asked());
    journal.add(asked({ method: 'POST', path: '/api/v1/orders', status: 201, idempotency_key: 'k' }));
    journal.add(asked({ owner: null, status: 401, code: 'UNAUTHORIZED' }));
    const numbers = (filter = {}) => journal.entries(filter).map(({ number }) => number);
    expect(numbers()).toEqual([1, 2, 3]);
    expect(numbers({ path: '/api/v1/orders' })).toEqual([1, 2, 3]);
    expect(numbers({ path: '/api/v1/orders/' })).toEqual([1, 3]);
    expect(numbers({ method: 'post', path: '/api/v1/orders' })).toEqual([2]);
    expect(numbers({ owner: 'a', status: 200 })).toEqual([1]);
    expect(numbers({ code: 'UNAUTHORIZED' })).toEqual([3]);
    expect(numbers({ idempotency_key: 'k' })).toEqual([2]);
  });

  it('returns near misses', () => {
    const journal = createJournal();
    journal.add(asked({ method: 'POST', path: '/api/v1/orders', status: 409 }));
    journal.add(asked({ method: 'PUT', path: '/elsewhere' }));
    expect(journal.nearMisses({ method: 'POST', path: '/api/v1/orders', status: 201 })).toEqual([
      { entry: expect.objectContaining({ number: 1 }), differs: 'status' },
    ]);
  });

  it('waits until enough requests match', async () => {
    const journal = createJournal();
    const waited = journal.wait({ method: 'POST' }, { count: 2, timeoutMs: 5_000 });
    journal.add(asked({ method: 'POST' }));
    journal.add(asked());
    journal.add(asked({ method: 'POST' }));
    expect((await waited).map(({ number }) => number)).toEqual([1, 3]);
    expect(await journal.wait({ method: 'POST' }, { count: 1, timeoutMs: 5_000 })).toHaveLength(2);
  });

  it('returns the matching entries after the timeout', async () => {
    const journal = createJournal();
    journal.add(asked());
    expect(await journal.wait({}, { count: 2, timeoutMs: 10 })).toHaveLength(1);
  });

  it('keeps the newest entries', () => {
    const journal = createJournal(3);
    for (let count = 0; count < 20; count += 1) journal.add(asked());
    expect(journal.entries().map(({ number }) => number)).toEqual([18, 19, 20]);
  });
});
