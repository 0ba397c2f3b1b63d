import { readClauses } from '../../tools/specification-clauses.ts';

const text = `# Service
Clients must poll. They can read; they never write.

### Errors
| Status | Code |
|---|---|
| 401 | A |
| 404 | B |
| 404 | C |

Validation errors (422):
| Condition | Fix |
|---|---|
| name empty | send one |

Results rules:
1. Pages are stable; they must not change.
2. The end.

### Orders
| Method | Path | Purpose |
|---|---|---|
| GET | /api/v1/orders | list |
1. Only here.
`;

describe('readClauses', () => {
  it('finds rows, numbered rules, and other sentences with must, never or only', () => {
    const clauses = readClauses(text).map(({ section, name, kind }) => `${kind}: ${section} > ${name}`);
    expect(clauses).toEqual([
      'sentence: Service > Clients must poll',
      'sentence: Service > they never write',
      'row: Errors > 401',
      'row: Errors > 404 B',
      'row: Errors > 404 C',
      'row: Errors, Validation errors (422) > name empty',
      'rule: Errors, Results rules > 1',
      'rule: Errors, Results rules > 2',
      'row: Orders > GET /api/v1/orders',
      'rule: Orders > 1',
    ]);
  });
});
