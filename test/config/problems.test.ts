import { formatProblems } from '../../src/config/problems.ts';

describe('formatProblems', () => {
  it('writes one line a problem, with place, field, rule, what was found and the way out', () => {
    const text = formatProblems(
      [
        { line: 3, column: 7, field: 'runs.a.kind', rule: 'must be one of x, y', found: '"z"', wayOut: 'Write x' },
        { line: 9, column: 1, field: '', rule: 'is not valid YAML', found: null, wayOut: null },
      ],
      'prospect-sync.yaml',
    );
    expect(text).toBe(
      'prospect-sync.yaml:3:7 runs.a.kind: must be one of x, y, found "z". Write x\n' +
        'prospect-sync.yaml:9:1 is not valid YAML',
    );
  });
});
