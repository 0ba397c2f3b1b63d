import { isPlainHttpElsewhere } from '../http/loopback.ts';
import type { Environment } from './environment.ts';
import { childOf } from './json-schema.ts';
import type { PathProblem } from './schema-problems.ts';

/** Plain http shows key and personal data to the network: to another machine it needs `allow_http`. */
export function checkPlainHttp(file: unknown, env: Environment): PathProblem[] {
  return (['service', 'hubspot'] as const).flatMap((section) => {
    const settings = childOf(file, section);
    const { path, text, subject } = readAddress(section, childOf(settings, 'base_url'), env);
    const url = URL.parse(text);
    if (url === null || !isPlainHttpElsewhere(url) || childOf(settings, 'allow_http') === true) return [];
    return [
      {
        path,
        at: 'value' as const,
        rule: `${subject}must be https: over plain http to another machine, everybody on the way reads key and data`,
        found: null,
        remedy: `Write https://, or set ${section}.allow_http: true where the network between is trusted`,
      },
    ];
  });
}

/** Values of variables are not shown; what is no address is another rule's complaint. */
function readAddress(section: string, value: unknown, env: Environment) {
  const path = [section, 'base_url'];
  if (typeof value === 'string') return { path, text: value, subject: '' };
  const name = childOf(value, 'env');
  const text = typeof name === 'string' ? (env[name] ?? '') : '';
  return { path: [...path, 'env'], text, subject: `environment variable ${String(name)} ` };
}
