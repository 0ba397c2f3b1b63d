import { parseConfig } from '../../src/config/load-config.ts';

const file = (quantity: string) => `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: KEY}}
runs:
  weekly:
    kind: discovery
    briefing_quantity: ${quantity}
    profile: {profile_name: P, ideal_customer_profile: I, target_countries: [DE]}
`;
const parse = (quantity: string) => parseConfig(file(quantity), { env: { KEY: 'k' }, file: '/x/prospect-sync.yaml' });

describe('parseConfig of a number that a person may have meant otherwise', () => {
  it.each([
    ['1.000', 'would be read as the number 1', 'Write 1000, or 1 if that was meant'],
    ['1.500', 'would be read as the number 1.5', 'Write 1500, or 1.5 if that was meant'],
    ['1e3', 'would be read as the number 1000', 'Write the number in decimal digits, or put quotes around a text'],
    ['0100', 'would be read as the number 100', 'Write the number in decimal digits, or put quotes around a text'],
    ['0x64', 'would be read as the number 100', 'Write the number in decimal digits, or put quotes around a text'],
  ])('refuses %s', (text, rule, remedy) => {
    const parsed = parse(text);
    expect(parsed.ok ? [] : parsed.problems).toEqual([
      { line: 6, column: 24, field: 'runs.weekly.briefing_quantity', rule, found: text, remedy },
    ]);
  });

  it.each(['100', '1000', '10.0'])('reads %s', (text) => {
    expect(parse(text)).toMatchObject({ ok: true, config: { runs: { weekly: { briefingQuantity: Number(text) } } } });
  });
});
