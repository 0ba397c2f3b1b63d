import { parseConfig } from '../../src/config/load-config.ts';

const file = (quantity: string) => `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
runs:
  weekly:
    kind: discovery
    briefing_quantity: ${quantity}
    profile: {profile_name: P, ideal_customer_profile: I, target_countries: [DE]}
`;
const parseText = (text: string) => parseConfig(text, { env: { KEY: 'k', TOKEN: 't' }, file: '/x/prospect-sync.yaml' });
const parse = (quantity: string) => parseText(file(quantity));
const problemsOf = (parsed: ReturnType<typeof parseText>) => (parsed.ok ? [] : parsed.problems);

describe('parseConfig of a number that a person may have meant otherwise', () => {
  it.each([
    ['1.000', 'would be read as the number 1', 'Write 1000, or 1 if that was meant'],
    ['1.125', 'would be read as the number 1.125', 'Write 1125, or 1.1250 if that was meant'],
    ['1.500', 'would be read as the number 1.5', 'Write 1500, or 1.5 if that was meant'],
    ['1e3', 'would be read as the number 1000', 'Write the number in decimal digits, or put quotes around a text'],
    ['0100', 'would be read as the number 100', 'Write the number in decimal digits, or put quotes around a text'],
    ['0x64', 'would be read as the number 100', 'Write the number in decimal digits, or put quotes around a text'],
  ])('refuses %s', (text, rule, remedy) => {
    const parsed = parse(text);
    expect(problemsOf(parsed)).toEqual([
      { line: 6, column: 24, field: 'runs.weekly.briefing_quantity', rule, found: text, remedy },
    ]);
  });

  it.each(['100', '1000', '10.0'])('reads %s', (text) => {
    expect(parse(text)).toMatchObject({ ok: true, config: { runs: { weekly: { briefingQuantity: Number(text) } } } });
  });
});

describe('parseConfig of a number with a comma in braces', () => {
  const rule = 'has a comma, which separates settings: the decimal sign of a number is a point';
  it.each([
    ['expect: {max_without_people: 0,5%}', 'runs.weekly.expect.max_without_people', '0,5%', 'Write 0.5%'],
    [
      'expect: {min_delivered: 80,5%, max_without_people: 1%}',
      'runs.weekly.expect.min_delivered',
      '80,5%',
      'Write 80.5%',
    ],
    ['schedule: {every: 1,5h}', 'runs.weekly.schedule.every', '1,5h', 'Write 1.5h'],
  ])('refuses %s', (text, field, found, remedy) => {
    const problems = problemsOf(parseText(file('10').replace('kind:', `${text}\n    kind:`)));
    expect(problems).toEqual([{ line: 5, column: expect.any(Number), field, rule, found, remedy }]);
  });

  it('refuses a sign between thousands', () => {
    const problems = problemsOf(parseText(`limits: {max_briefings_per_run: 10,000}\n${file('10')}`));
    const remedy = 'Write 10000, or 10 if that was meant';
    expect(problems).toEqual([
      { line: 1, column: 33, field: 'limits.max_briefings_per_run', rule, found: '10,000', remedy },
    ]);
  });
});

describe('parseConfig of a text that YAML reads otherwise than it looks', () => {
  const withText = (text: string) => parseText(file('10').replace('kind:', `title: ${text}\n    kind:`));

  it.each(['Suppliers of A, C #1 developers', 'Wave #2', 'Büros #über'])('refuses what a comment cuts: %s', (text) => {
    expect(problemsOf(withText(text))).toEqual([
      {
        line: 5,
        column: 12 + text.indexOf('#'),
        field: 'runs.weekly.title',
        rule: 'ends before #, which begins a comment in YAML',
        found: null,
        remedy: 'Put quotes around the text, or write a space after the # of a comment',
      },
    ]);
  });

  it.each(['\u201CWave\u201D', '\u201EWave\u201C', '\u00ABWave two\u00BB', '\u2019Wave\u2019'])(
    'refuses typographic quotes around a text: %s',
    (text) => {
      const remedy = 'Write straight quotes (" or \') instead, or around them to keep them';
      expect(problemsOf(withText(text))).toEqual([
        expect.objectContaining({ line: 5, rule: expect.stringMatching(/no quote in YAML$/), remedy }),
      ]);
      expect(problemsOf(withText(`&title ${text}`))).toEqual([
        expect.objectContaining({ line: 5, rule: expect.stringMatching(/^has typographic quotes/), remedy }),
      ]);
    },
  );

  it.each([
    ['Wave # two', 'Wave'],
    ['Wave   #two', 'Wave'],
    ['Wave#2', 'Wave#2'],
    ['"Wave #2"', 'Wave #2'],
    ['>-\n      Wave #2', 'Wave #2'],
    ['"\u201CWave\u201D"', '\u201CWave\u201D'],
    ['The \u201Cbest\u201D companies', 'The \u201Cbest\u201D companies'],
  ])('reads %s as %s', (text, title) => {
    expect(withText(text)).toMatchObject({ ok: true, config: { runs: { weekly: { title } } } });
  });
});

describe('parseConfig of a text that needs quotes', () => {
  const quotes = 'Put quotes around the whole text, or begin a line for each setting';
  const withCriteria = (value: string) => parseText(file('10').replace('kind:', `title: ${value}\n    kind:`));

  it.each(['Suppliers: Tier 1', 'Suppliers:', 'Food: Dairy: Milk', 'see https://x.example: yes', 'Tier 1: A # note'])(
    'says so of a colon: %s',
    (text) => {
      const rule = 'is not valid YAML: a text with a colon before a space or at its end needs quotes';
      expect(problemsOf(withCriteria(text))).toEqual([
        { line: 5, column: 12, field: '', rule, found: null, remedy: quotes },
      ]);
      expect(withCriteria(JSON.stringify(text))).toMatchObject({ ok: true });
    },
  );

  it.each(['*strong* suppliers', '& partners', '!important', '%50 growth', '@scale firms', '`code`', '>50 staff'])(
    'says so of what it begins with: %s',
    (text) => {
      const rule = `is not valid YAML: a text that begins with ${text.charAt(0)} needs quotes`;
      expect(problemsOf(withCriteria(text))).toEqual([
        { line: 5, column: 12, field: '', rule, found: null, remedy: quotes },
      ]);
      expect(withCriteria(JSON.stringify(text))).toMatchObject({ ok: true });
      const item = parseText(
        file('10')
          .replace('[DE]', `\n        - ${text}`)
          .replace('{profile_name: P, ideal_customer_profile: I, target_countries:', '\n      target_countries:')
          .replace(/\}\n$/, '\n'),
      );
      expect(problemsOf(item)).toContainEqual(expect.objectContaining({ column: 11, rule, remedy: quotes }));
    },
  );

  it('says so of the name of an anchor that no alias uses, which YAML takes out of the text', () => {
    const [problem] = problemsOf(withCriteria('&Partner firms'));
    expect(problem).toMatchObject({
      line: 5,
      field: 'runs.weekly.title',
      rule: expect.stringMatching(/^begins with &/),
    });
    const shared = file('10').replace('kind:', 'title: &name Weekly\n    order: {title: *name}\n    kind:');
    expect(problemsOf(parseText(shared)).map(({ rule }) => rule)).not.toContain(problem?.rule);
  });

  it('says so of an item of a list that a colon makes a map of', () => {
    const text = file('10').replace('[DE]', '[DE], target_industries: ["Retail", Food: Dairy]');
    expect(problemsOf(parseText(text))).toEqual([
      expect.objectContaining({
        field: 'runs.weekly.profile.target_industries[1]',
        remedy: 'If a text is meant, put quotes around it: a colon and a space make a map of it',
      }),
    ]);
  });

  it('names the backslash in double quotes, and not what follows it', () => {
    const problems = problemsOf(withCriteria('"C:\\Geheim"'));
    expect(problems).toMatchObject([{ line: 5, remedy: expect.stringContaining('two backslashes') }]);
    expect(JSON.stringify(problems)).not.toContain('Geheim');
  });

  it.each([
    ['a:b', 'a:b'],
    ['https://x.example/a', 'https://x.example/a'],
    ['R&D, 50% and more @ home!', 'R&D, 50% and more @ home!'],
    ['>-\n      Suppliers: Tier 1', 'Suppliers: Tier 1'],
    ['|-\n      *strong*: a', '*strong*: a'],
    ['A # note: b', 'A'],
  ])('reads %s', (text, title) => {
    expect(withCriteria(text)).toMatchObject({ ok: true, config: { runs: { weekly: { title } } } });
  });

  it.each(['{a: b', '[a, b: c', "'it's"])('leaves what is in brackets or quotes to YAML: %s', (text) => {
    expect(problemsOf(withCriteria(text)).map(({ rule }) => rule)).not.toContainEqual(
      expect.stringContaining('needs quotes'),
    );
  });
});
