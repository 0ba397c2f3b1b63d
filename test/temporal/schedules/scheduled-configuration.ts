import { parseConfig } from '../../../src/config/load-config.ts';
import type { Config } from '../../../src/config/config.ts';

export const quantity = 3;

const key = (letter: string) => Buffer.from(letter.repeat(32)).toString('base64');

/** Runs by name with their schedules as written, empty for none; `text` goes into the file as it is. */
export function configuration(runs: Readonly<Record<string, string>>, text = ''): Config {
  const profile =
    '{profile_name: Profile of weekly, ideal_customer_profile: Customers like us, target_countries: [DE]}';
  const lines = Object.entries(runs).map(
    ([name, schedule]) =>
      `  ${name}: {kind: discovery, briefing_quantity: ${quantity}, profile: ${profile}${schedule === '' ? '' : `, schedule: ${schedule}`}}`,
  );
  const file = `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
${text}
runs:${lines.length === 0 ? ' {}' : ''}
${lines.join('\n')}
`;
  const env = { KEY: 's3cret', TOKEN: 't', KEY_A: key('a'), KEY_B: key('b') };
  const parsed = parseConfig(file, { env, file: '/x/prospect-sync.yaml' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}
