import { checkShape } from '../../src/config/schema-problems.ts';

describe('checkShape', () => {
  it.each([
    ['🏭', 'a text of 1 character'],
    ['🏭🏭', 'a text of 2 characters'],
    ['Größe 🏭'.repeat(200), 'a text of 1,400 characters'],
  ])('counts the characters of a text like its rules (%#)', (address, found) => {
    const { problems } = checkShape({ service: { base_url: address } });
    const problem = problems.find(({ path }) => path.join('.') === 'service.base_url');
    expect(problem?.found).toBe(found);
  });

  it.each([
    [['replies', 'secrets', 0, 'env'], { replies: { secrets: [{ env: 'whsec_4711' }] } }],
    [['replies', 'secrets', 0], { replies: { secrets: ['whsec_4711'] } }],
    [['replies', 'key', 'value'], { replies: { key: { header: 'x-key', value: 4711 } } }],
    [['order_status', 'secrets', 0, 'env'], { order_status: { secrets: [{ env: 'whsec_4711' }] } }],
    [['certificates', 'key'], { certificates: { key: 'key-4711' } }],
    [['ledger', 'database_url', 'env'], { ledger: { database_url: { env: 'postgres://u:4711@db/x' } } }],
  ])('never shows a secret in place of the name of a variable: %j', (path, file) => {
    const { problems } = checkShape(file);
    const problem = problems.find((each) => each.path.join('.') === path.join('.'));
    expect(problem?.found).toMatch(/^a (?:text|number)$/);
    const texts = problems.map(({ remedy, ...rest }) => ({
      ...rest,
      remedy: typeof remedy === 'function' ? remedy() : remedy,
    }));
    expect(JSON.stringify(texts)).not.toContain('4711');
  });

  it('refuses a name of a header that nginx would drop', () => {
    const { problems } = checkShape({ replies: { key: { header: 'X_Key', value: { env: 'KEY' } } } });
    const problem = problems.find(({ path }) => path.join('.') === 'replies.key.header');
    expect(problem?.rule).toContain('without _, since nginx');
  });

  it.each([
    ['limits', { max_briefings_per_run: '20' }, 'Remove the quotes'],
    ['hubspot', { portal_id: '29213920' }, 'Remove the quotes'],
    ['hubspot', { create_properties: 'true' }, 'Remove the quotes'],
    ['hubspot', { create_properties: 'no' }, 'Did you mean false?'],
    ['hubspot', { create_properties: 'Off' }, 'Did you mean false?'],
    ['hubspot', { create_properties: 'yes' }, 'Did you mean true?'],
    ['hubspot', { create_properties: 'maybe' }, 'Write true or false'],
    ['exclusions', { a: { adopt: 'never' } }, 'Write true or false'],
    ['exclusions', { a: { within: [] } }, expect.stringMatching(/^Meaning: Exclude companies/)],
    ['exclusions', { a: { csv: 7 } }, 'Put quotes around it'],
    ['limits', { max_briefings_per_run: '0' }, expect.stringContaining('Most companies')],
    ['limits', { repeat_after: 7 }, expect.stringContaining('asks before it places another order')],
    ['exclusions', { a: { within: 365 } }, expect.stringContaining('Exclude companies that orders')],
    ['runs', { a: { kind: 'discovery', schedule: { every: 7 } } }, expect.stringContaining('Interval between starts')],
    ['runs', { a: { kind: 'discovery', expect: { min_delivered: 80 } } }, expect.stringContaining('for example 80%')],
    ['runs', { a: { kind: 'discovery', schedule: { timezone: 7 } } }, expect.stringContaining('Timezone of cron')],
    ['runs', { a: { kind: 'discovery', title: 2027 } }, 'Put quotes around it'],
    ['limits', { max_briefings_per_run: 'twenty' }, expect.stringContaining('Most companies')],
  ])('names quotes only where they make an accepted value: %s %j', (section, settings, expected) => {
    const remedies = checkShape({ [section]: settings }).problems.map(({ remedy }) =>
      typeof remedy === 'function' ? remedy() : remedy,
    );
    expect(remedies).toContainEqual(expected);
  });
});
