import { parseConfig } from '../../src/config/load-config.ts';
import type { Config } from '../../src/config/config.ts';
import type { ConfigProblem } from '../../src/config/problems.ts';

export const env = {
  KEY: 'service-key-1',
  TOKEN: 'hubspot-token-1',
  DB: 'postgres://user:pw@db/ledger',
  URL: 'http://localhost:4010/',
};
const file = '/work/crm/prospect-sync.yaml';

/** The required sections, in two lines: problems of what follows begin at line 3. */
export const head = `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
`;
export const profile = '{profile_name: P, ideal_customer_profile: I, target_countries: [DE]}';

type Variables = Record<string, string | undefined>;

export const parse = (text: string, variables: Variables = env) => parseConfig(text, { env: variables, file });

/** The configuration of a text without problems. */
export function read(text: string, variables?: Variables): Config {
  const parsed = parse(text, variables);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1));
  return parsed.config;
}

/** The problems of a text, of which there must be one. */
export function refuse(text: string, variables?: Variables): ConfigProblem[] {
  const parsed = parse(text, variables);
  if (parsed.ok) throw new Error('no problem was found');
  return parsed.problems;
}

/** Each problem as `line:column field: rule`. */
export const brief = (problems: readonly ConfigProblem[]) =>
  problems.map(({ line, column, field, rule }) => `${line}:${column} ${field}: ${rule}`);

/** Each problem as `field: rule`. */
export const rulesOf = (problems: readonly ConfigProblem[]) => problems.map(({ field, rule }) => `${field}: ${rule}`);
