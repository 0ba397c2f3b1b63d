import { formatProblems } from '../../src/config/problems.ts';

describe('formatProblems', () => {
  it('writes one line per problem, with position, field, rule, found value and remedy', () => {
    const problems = [
      { line: 3, column: 7, field: 'runs.a.kind', rule: 'must be one of x, y', found: '"z"', remedy: 'Write x' },
      { line: 9, column: 1, field: '', rule: 'is not valid YAML', found: null, remedy: null },
    ];
    const lines = [
      'prospect-sync.yaml:3:7 runs.a.kind: must be one of x, y, found "z". Write x',
      'prospect-sync.yaml:9:1 is not valid YAML',
    ];
    expect(formatProblems({ problems, more: 0 }, 'prospect-sync.yaml')).toBe(lines.join('\n'));
    expect(formatProblems({ problems, more: 3_980 }, 'prospect-sync.yaml')).toBe(
      [...lines, 'and 3,980 more'].join('\n'),
    );
  });
});
