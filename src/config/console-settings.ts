/** `console`: who may use the console from other machines, at which address, and whether it shows people. */
import { isIP } from 'node:net';
import { z } from 'zod';
import type { Environment } from '../base/host/environment-variables.ts';
import { isPlainHttpElsewhere } from '../base/http/foreign-requests.ts';
import { parseAllowance } from '../base/http/public-address.ts';
import { passwordHashPattern } from '../base/password-hash.ts';
import { checkVariable, fromEnvironment, toSecret } from './environment.ts';
import { checkPart, childOf, validItems } from './partial-validation.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { allowHttp, headerName, httpAddress } from './setting-values.ts';

const userSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9._@-]{1,60}$/, 'must have 1 to 60 characters of A-Z, a-z, 0-9, . _ @ and -')
    .describe('Name to sign in with; the list of actions shows it'),
  password: fromEnvironment.describe(
    'Hash of the password, as {env: NAME}; `prospect-sync secrets hash-password` makes it',
  ),
});

const network = z
  .string()
  .refine(isNetwork, 'must be an IP address or a network such as 10.1.0.0/16, and not all addresses')
  .describe('IP address or network');

export const consoleSchema = z
  .strictObject({
    public_url: httpAddress
      .refine((text) => URL.parse(text)?.pathname === '/', 'must be without a path')
      .optional()
      .describe('Address at which browsers open the console, for example https://console.example.com'),
    allow_http: allowHttp,
    users: z.array(userSchema).min(1).max(100).optional().describe('People who sign in with a name and a password'),
    proxy_user_header: headerName
      .optional()
      .describe('Header in which a proxy names the person that it has signed in, for example X-Forwarded-User'),
    trusted_proxies: z
      .array(network)
      .min(1)
      .max(100)
      .optional()
      .describe('Proxies before the console: only they may name a user, or the address of a client (X-Forwarded-For)'),
    personal_data: z
      .enum(['masked', 'shown'])
      .optional()
      .describe(
        'Whether values of people are masked until a user presses "Show people", which is listed, or shown; by default masked where users sign in, otherwise shown',
      ),
  })
  .prefault({})
  .describe('The console: its address for other machines, who may sign in, and whether it shows people');

type ConsoleSettings = z.infer<typeof consoleSchema>;

const hashVariable = {
  pattern: passwordHashPattern,
  rule: 'must hold a password hash; prospect-sync secrets hash-password makes it',
};

export function checkConsole(value: unknown, env: Environment): PathProblem[] {
  const users = validItems(z.object({ password: z.unknown() }), childOf(value, 'users'));
  return [
    ...users.flatMap(([index, { password }]) =>
      checkVariable(['console', 'users', index, 'password', 'env'], password, hashVariable, env),
    ),
    ...checkPart(consoleSchema, value, checkSignIn),
  ];
}

function checkSignIn(settings: ConsoleSettings): PathProblem[] {
  const { public_url: url, allow_http: isPlainAllowed, users = [], proxy_user_header: header } = settings;
  const problems: PathProblem[] = [];
  const report = (path: readonly PropertyKey[], rule: string, remedy: string) =>
    problems.push(problemAt(['console', ...path], rule, remedy));
  const isSignIn = users.length > 0 || header !== undefined;
  if (!isSignIn && (url ?? settings.trusted_proxies) !== undefined)
    report([], 'has no way to sign in', 'Set console.users or console.proxy_user_header');
  if (isSignIn && url === undefined)
    report([], 'needs public_url', 'Set console.public_url: requests for other hosts and from other pages are refused');
  if (users.length > 0 && header !== undefined)
    report(['proxy_user_header'], 'must not be set beside users', 'Remove one of the two');
  if (header !== undefined && settings.trusted_proxies === undefined)
    report(['proxy_user_header'], 'needs trusted_proxies', 'Set console.trusted_proxies: others could send the header');
  users.forEach(({ name }, index) => {
    if (users.findIndex((other) => other.name === name) < index)
      report(['users', index, 'name'], 'is the name of another user too', 'Give each user a name of their own');
  });
  if (url !== undefined && !isPlainAllowed && isPlainHttpElsewhere(new URL(url)))
    report(
      ['public_url'],
      'must be https: plain http to another machine exposes passwords and pages on the network',
      'Write https:// and put a proxy with TLS before the console, or set console.allow_http: true if you trust the network in between',
    );
  return problems;
}

export function toConsole(settings: ConsoleSettings, env: Environment) {
  const signIn = toSignIn(settings, env);
  return {
    personalData: settings.personal_data ?? (signIn === null ? 'shown' : 'masked'),
    /** null: no sign-in is configured, and the console is for this machine only. */
    signIn,
  };
}

export type ConsoleConfig = ReturnType<typeof toConsole>;

function toSignIn(settings: ConsoleSettings, env: Environment) {
  const { public_url: url, users = [], proxy_user_header: userHeader = null, trusted_proxies: proxies = [] } = settings;
  if (url === undefined) return null;
  return {
    publicUrl: new URL(url),
    /** Names of users with the hashes of their passwords. */
    users: new Map(users.map(({ name, password }) => [name, toSecret(password, env)])),
    /** null: users sign in with their passwords. */
    userHeader,
    trustedProxies: parseAllowance(proxies.map(toNetwork)).networks,
  };
}

export type SignInConfig = NonNullable<ConsoleConfig['signIn']>;

function toNetwork(text: string): string {
  return text.includes('/') ? text : `${text}/${isIP(text) === 6 ? 128 : 32}`;
}

function isNetwork(text: string): boolean {
  try {
    parseAllowance([toNetwork(text)]);
    return !/\/0+$/.test(text);
  } catch {
    return false;
  }
}

export const consoleTemplate = `# The console answers on this machine only, until people can sign in. See docs/console.md, "Other machines".
# console:
#   public_url: https://console.example.com   # a proxy with TLS passes its requests on
#   allow_http: false                     # true: plain http in a network that you trust
#   users:
#     -
#       name: olga
#       password: {env: CONSOLE_PASSWORD}   # its hash: prospect-sync secrets hash-password
#   proxy_user_header: X-Forwarded-User   # in place of users: the proxy signs people in
#   trusted_proxies: [127.0.0.1]
#   personal_data: masked                 # the default where people sign in; shown: without "Show people"
`;
