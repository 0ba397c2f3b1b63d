import { findGuaranteeTests, listGuarantees, toGuaranteeTable } from '../../tools/guarantee-tests.ts';

const document = `# Guarantees

| guarantee | mechanism |
|---|---|
| Nothing is lost | A ledger |
| Nothing is doubled | Keys, [003](003.md) |

| other | table |
|---|---|
| x | y |
`;

/** In two parts, so that this file itself names no guarantee. */
const mark = ['//', 'Guarantee:'].join(' ');

describe('findGuaranteeTests', () => {
  it('finds the title of the test after each line, in each form of a test', () => {
    const text = `
  ${mark} Nothing is lost
  it('keeps what it\\'s given', () => {});
  ${mark} Nothing is doubled
  it.each([1, 2])(
    "writes %j once",
    () => {},
  );
${mark} Nothing is lost
${mark} Nothing is doubled
describeIf(hasPostgres(), needsPostgres)('two workers', () => {});
  ${mark} Nothing is lost
  itOfAll('keeps all', () => {});
`;
    const found = findGuaranteeTests('test/a.test.ts', text);
    expect(found.map(({ guarantee, title, isLong }) => [guarantee, title, isLong])).toEqual([
      ['Nothing is lost', "keeps what it's given", false],
      ['Nothing is doubled', 'writes %j once', false],
      ['Nothing is lost', 'two workers', false],
      ['Nothing is doubled', 'two workers', false],
      ['Nothing is lost', 'keeps all', true],
    ]);
    expect(findGuaranteeTests('test/a.all.test.ts', text).every(({ isLong }) => isLong)).toBe(true);
  });

  it('rejects a line without a test', () => {
    expect(() => findGuaranteeTests('test/a.test.ts', `${mark} A\nconst a = "b";\n`)).toThrow(
      'test/a.test.ts: no test follows the line of "A"',
    );
  });
});

describe('toGuaranteeTable', () => {
  const test = (guarantee: string, file: string, isLong = false) => ({ guarantee, file, title: 'works', isLong });

  it('lists the tests of each guarantee of the page', () => {
    const tests = [
      test('Nothing is lost', 'test/a.test.ts'),
      test('Nothing is doubled', 'test/b.test.ts', true),
      test('Nothing is doubled', 'test/c.test.ts'),
    ];
    expect(listGuarantees(document)).toEqual(['Nothing is lost', 'Nothing is doubled']);
    expect(toGuaranteeTable(document, tests).split('\n').slice(2)).toEqual([
      '| Nothing is lost | `test/a.test.ts`: works |  |',
      '| Nothing is doubled | `test/c.test.ts`: works | `test/b.test.ts`: works |',
    ]);
  });

  it('rejects a guarantee without a test in npm test, and a test of an unknown guarantee', () => {
    const tests = [test('Nothing is doubled', 'test/b.test.ts', true), test('Nothing is free', 'test/a.test.ts')];
    expect(() => toGuaranteeTable(document, tests)).toThrow(
      [
        'test/a.test.ts names "Nothing is free", which docs/guarantees.md does not have',
        'no test of npm test names "Nothing is lost"',
        'no test of npm test names "Nothing is doubled"',
      ].join('\n'),
    );
  });
});
