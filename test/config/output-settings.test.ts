import { toDeliveryPlan } from '../../src/config/run-plan.ts';
import { brief, head, parse, read } from './config-harness.ts';

function textOf(outputs: string, language = '', more = '') {
  const profile = `{profile_name: P, ideal_customer_profile: I, target_countries: [DE]${language}}`;
  return `${head}${more}runs:\n  weekly:\n    kind: discovery\n    profile: ${profile}\n    briefing_quantity: 1\n    service_outputs: ${outputs}\n`;
}

type Given = Parameters<typeof textOf>;

function refuse(...given: Given): string[] {
  const parsed = parse(textOf(...given));
  return parsed.ok ? [] : brief(parsed.problems);
}

const wanted = (...given: Given) => read(textOf(...given)).runs['weekly']?.serviceOutputs;

describe('runs.<name>.spreadsheets.csv in prospect-sync.yaml', () => {
  const parseCsv = (csv: string) => parse(textOf(`[]\n    spreadsheets: {csv: ${csv}}`));
  const formOf = (csv: string) => {
    const parsed = parseCsv(csv);
    const run = parsed.ok ? parsed.config.runs['weekly'] : undefined;
    return parsed.ok && run !== undefined ? toDeliveryPlan(parsed.config, run).spreadsheets : 'invalid';
  };

  it('is excel-de for semicolons and decimal commas, or a map of delimiter, decimal and bom', () => {
    const german = { delimiter: 'semicolon', decimal: 'comma', bom: true };
    expect(formOf('excel-de')).toMatchObject({ kinds: ['csv', 'xlsx'], csv: german });
    expect(formOf('{delimiter: semicolon, decimal: comma}')).toMatchObject({ csv: german });
    expect(formOf('{delimiter: tab, bom: false}')).toMatchObject({
      csv: { delimiter: 'tab', decimal: 'point', bom: false },
    });
    expect(formOf('false')).toMatchObject({ kinds: ['xlsx'] });
  });

  it('stores no form with a file in the default form', () => {
    for (const csv of ['true', '{}', '{delimiter: comma}']) expect(formOf(csv)).not.toHaveProperty('csv');
  });

  it.each([
    ['excel', 'csv: must be true, false, excel-de, or a map of delimiter, decimal and bom'],
    ['{delimiter: "|"}', 'csv.delimiter: must be one of comma, semicolon, tab'],
    ['{decimal: ","}', 'csv.decimal: must be one of point, comma'],
    ['{quote: "x"}', 'csv.quote: there is no such setting'],
  ])('rejects %s', (csv, problem) => {
    const parsed = parseCsv(csv);
    expect(parsed.ok ? [] : brief(parsed.problems)).toEqual([
      expect.stringContaining(`runs.weekly.spreadsheets.${problem}`),
    ]);
  });
});

describe('runs.<name>.spreadsheets.language in prospect-sync.yaml', () => {
  const parseSheets = (profileLanguage: string, spreadsheets = '{}') =>
    parse(textOf(`[]\n    spreadsheets: ${spreadsheets}`, `, output_language: ${profileLanguage}`));
  const languageOf = (...given: Parameters<typeof parseSheets>) => {
    const parsed = parseSheets(...given);
    return parsed.ok ? parsed.config.runs['weekly']?.spreadsheets.language : 'invalid';
  };

  it('is German by default where output_language of the profile is German, otherwise English', () => {
    expect(['de', 'de-AT', 'en', 'fr'].map((language) => languageOf(language))).toEqual(['de', 'de', 'en', 'en']);
    expect(languageOf('de', '{language: en}')).toBe('en');
    expect(languageOf('en', '{language: de}')).toBe('de');
    expect(languageOf('en', '{language: fr}')).toBe('invalid');
  });

  it('decides which names of further columns are taken', () => {
    const problemsOf = (language: string, header: string) => {
      const parsed = parseSheets(language, `{columns: {${header}: raw.company.x}}`);
      return parsed.ok ? [] : brief(parsed.problems);
    };
    const taken = (header: string) => [expect.stringContaining(`has the name of ${header}, a column of the results`)];
    expect(problemsOf('de', 'Branche')).toEqual(taken('Branche'));
    expect(problemsOf('de', 'Industry')).toEqual([]);
    expect(problemsOf('en', 'Branche')).toEqual([]);
    expect(problemsOf('en', 'Industry')).toEqual(taken('Industry'));
    expect(problemsOf('de', 'Zeile der Quelle')).toEqual(taken('Zeile der Quelle'));
  });
});

describe('runs.<name>.service_outputs in prospect-sync.yaml', () => {
  it('accepts each type, in the language of the profile by default', () => {
    const outputs = '[{type: csv}, {type: xlsx, language: fr}, {type: google_sheets, spreadsheet_id: 1AbC_d-e}]';
    expect(wanted(outputs, ', output_language: de')).toEqual([
      { type: 'csv', language: 'de', spreadsheetId: null },
      { type: 'xlsx', language: 'fr', spreadsheetId: null },
      { type: 'google_sheets', language: 'de', spreadsheetId: '1AbC_d-e' },
    ]);
    expect(wanted('[{type: csv}]')).toMatchObject([{ language: 'en' }]);
    expect(wanted('[]')).toEqual([]);
  });

  it.each([
    ['[{type: pdf}]', '8:30 runs.weekly.service_outputs[0].type: must be one of csv, xlsx, google_sheets'],
    ['[{type: google_sheets}]', '8:23 runs.weekly.service_outputs[0].spreadsheet_id: is missing, must be a text'],
    [
      '[{type: csv, spreadsheet_id: a}]',
      '8:35 runs.weekly.service_outputs[0].spreadsheet_id: there is no such setting',
    ],
    [
      '[{type: google_sheets, spreadsheet_id: https://docs.google.com/spreadsheets/d/1}]',
      '8:61 runs.weekly.service_outputs[0].spreadsheet_id: must be the id of the spreadsheet: the part between /d/ and /edit in its address',
    ],
    [
      '[{type: csv, language: ""}]',
      '8:45 runs.weekly.service_outputs[0].language: must be a language such as en or de',
    ],
    [
      '[{type: csv, language: Deutsch}]',
      '8:45 runs.weekly.service_outputs[0].language: must be the code of a language, such as en, de or pt-BR',
    ],
    [
      '[{type: csv}, {type: csv, language: EN}]',
      '8:36 runs.weekly.service_outputs[1]: has the same destination as service_outputs[0]',
    ],
    [
      '[{type: google_sheets, spreadsheet_id: a, language: de}, {type: google_sheets, spreadsheet_id: a}]',
      '8:79 runs.weekly.service_outputs[1]: has the same destination as service_outputs[0]',
    ],
  ])('rejects %s', (outputs, problem) => {
    expect(refuse(outputs)).toContain(problem);
  });

  it('suggests the code of a language that is written as a word', () => {
    const suggestion = (output_language: string) => {
      const parsed = parse(textOf('[]', `, output_language: ${output_language}`));
      return parsed.ok ? null : parsed.problems.map(({ field, remedy }) => `${field}: ${remedy}`);
    };
    const field = 'runs.weekly.profile.output_language';
    expect(suggestion('german')).toEqual([`${field}: Did you mean de?`]);
    expect(suggestion('français')).toEqual([`${field}: Did you mean fr?`]);
    expect(suggestion('de_AT')).toEqual([`${field}: Did you mean de-AT?`]);
    expect(suggestion('dk')).toEqual([`${field}: Did you mean da?`]);
    expect(suggestion('xx')).toEqual([`${field}: null`]);
    for (const code of ['de', 'EN', 'pt-BR', 'zh-Hans-CN']) expect(suggestion(code)).toBeNull();
  });

  it('compares destinations with the language of the profile', () => {
    const outputs = '[{type: csv}, {type: csv, language: en}, {type: xlsx, language: en}]';
    expect(refuse(outputs)).toHaveLength(1);
    expect(refuse(outputs, ', output_language: de')).toEqual([]);
  });

  it('accepts at most twenty outputs', () => {
    const many = (count: number) =>
      `[${Array.from({ length: count }, (_, index) => `{type: csv, language: en-x${index}}`).join(', ')}]`;
    expect(wanted(many(20))).toHaveLength(20);
    expect(refuse(many(21))).toEqual(['8:22 runs.weekly.service_outputs: at most 20 items']);
  });
});

describe('toDeliveryPlan', () => {
  function planOf(outputs: string, more = '') {
    const config = read(textOf(outputs, '', more));
    const run = config.runs['weekly'];
    if (run === undefined) throw new Error('no run');
    return toDeliveryPlan(config, run);
  }

  it('contains the outputs, their directory, and the polling intervals', () => {
    expect(planOf('[{type: csv}]').serviceOutputs).toEqual({
      wanted: [{ type: 'csv', language: 'en', spreadsheetId: null }],
      directory: '/work/crm/out',
      firstPollMs: 5_000,
      longestPollMs: 60_000,
      giveUpMs: 7_200_000,
    });
    const polling = 'polling: {output_first: 1s, output_max: 2s, output_give_up: 10m}\n';
    expect(planOf('[{type: csv}]', polling).serviceOutputs).toMatchObject({
      firstPollMs: 1_000,
      longestPollMs: 2_000,
      giveUpMs: 600_000,
    });
  });

  it('has no outputs when none are configured', () => {
    expect(planOf('[]').serviceOutputs).toBeNull();
  });
});

describe('runs.<name>.hubspot_lists in prospect-sync.yaml', () => {
  const withLists = (lists: string) => `[]\n    hubspot_lists: ${lists}`;

  it('is in the plan of a delivery only where the run names a list', () => {
    const planOf = (lists: string) => {
      const config = read(textOf(withLists(lists)));
      const { weekly } = config.runs;
      return weekly === undefined ? null : toDeliveryPlan(config, weekly).lists;
    };
    expect(planOf('{companies: Prospects}')).toEqual({ companies: 'Prospects' });
    expect(planOf('{contacts: "{order.id} {{new}}"}')).toEqual({ contacts: '{order.id} {{new}}' });
    expect(planOf('{}')).toBeNull();
  });

  it.each([
    ['{companies: ""}', 'companies: at least 1 character'],
    ['{companies: "A {company.name}"}', 'companies: has {company.name}, which is not a field of the order'],
    ['{companies: "A {order.title|lower-case}"}', 'companies: has an unknown transform in {order.title|lower-case}'],
    ['{companies: "A {order.title|lowercase}"}', 'companies: has a transform in {order.title|lowercase}'],
    ['{companies: "A {order.title"}', 'companies: has a { without its counterpart at character 3'],
    ['{contacts: "{order.run} {order.title}"}', 'contacts: needs a text or {order.id}'],
    ['{deals: A}', 'deals: there is no such setting'],
    ['{companies: Wave, contacts: wave}', 'hubspot_lists.contacts: must not be the name of companies too'],
    ['{companies: A}\n    crm: false', 'hubspot_lists: has no effect, because crm is false'],
  ])('rejects %s', (lists, problem) => {
    expect(refuse(withLists(lists)).join('\n')).toContain(problem);
  });
});

describe('runs.<name>.spreadsheets.columns in prospect-sync.yaml', () => {
  const columns = (names: string, rows = 'slot') =>
    textOf('[]').concat(`    spreadsheets: {rows: ${rows}, columns: {${names}}}\n`);
  const problemsOf = (text: string) => {
    const parsed = parse(text);
    return parsed.ok ? [] : parsed.problems.map(({ field, rule }) => `${field}: ${rule}`);
  };

  it.each([
    ['Position: company.city', 'slot', 'Position: has the name of Position, a column of the results'],
    ['fit-score: company.city', 'slot', 'fit-score: has the name of Fit Score, a column of the results'],
    ['Source Row: company.city', 'slot', 'Source Row: has the name of Source Row, a column of the results'],
    [
      'Best Contact Email: company.email',
      'slot',
      'Best Contact Email: has the name of Best Contact Email, a column of the results',
    ],
    ['Email: company.email', 'prospect', 'Email: has the name of Email, a column of the results'],
    [
      'Umsatz: company.city, UMSATZ: company.name',
      'slot',
      'UMSATZ: has the name of Umsatz, another column of this setting',
    ],
  ])('refuses the name of another column: %s in rows of a %s', (names, rows, problem) => {
    expect(problemsOf(columns(names, rows))).toEqual([`runs.weekly.spreadsheets.columns.${problem}`]);
  });

  it.each([
    ['Turnover: raw.company.turnover, Company City: company.city', 'slot'],
    ['Email: company.email', 'slot'],
    ['Anteil %: company.city, Anteil: company.name', 'prospect'],
  ])('accepts other names: %s in rows of a %s', (names, rows) => {
    expect(problemsOf(columns(names, rows))).toEqual([]);
  });
});
