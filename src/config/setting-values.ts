/** Kinds of values that several settings take. */
import { z } from 'zod';

/** Capitals only: a secret pasted in the place of a name is then refused instead of being named as a missing variable. */
const variableName = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable: capitals, digits and _');
/** Any variable can be sent anywhere by it: see PROSPECT_SYNC_ENV_ALLOWED in environment.ts. */
export const fromEnvironment = z.strictObject(
  {
    env: variableName.describe(
      'Name of the environment variable that holds the value; PROSPECT_SYNC_ENV_ALLOWED, where it is set, lists those that may be named',
    ),
  },
  { error: 'must be {env: NAME}' },
);

/** fetch refuses an address with a password in it, and quotes it whole. */
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), 'must not hold a user name or password');
export const address = z.union([url, fromEnvironment], { error: 'must be an http or https address or {env: NAME}' });

/** For the address of a system on a trusted network; see plain-http-rules.ts. */
export const allowHttp = z
  .boolean()
  .default(false)
  .describe('Send key and data over plain http to another machine, on a network that is trusted');

export const name = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, 'a name consists of a-z, 0-9 and -');
export const filePath = z.string().min(1);
export const flag = z.boolean();

export type EnvironmentReference = z.infer<typeof fromEnvironment>;
