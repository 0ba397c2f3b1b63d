/** Kinds of values that several settings share. */
import { z } from 'zod';

/** Capitals only: a secret that is pasted in place of a name is then rejected, and never printed as the name of a missing variable. */
const variableName = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable: capitals, digits and _');
/** The file can send any variable anywhere: see PROSPECT_SYNC_ENV_ALLOWED in environment.ts. */
export const fromEnvironment = z.strictObject(
  {
    env: variableName.describe(
      'Name of the environment variable that holds the value. If PROSPECT_SYNC_ENV_ALLOWED is set, it lists the allowed names',
    ),
  },
  { error: 'must be {env: NAME}' },
);

export const name = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, 'a name consists of a-z, 0-9 and -');
export const filePath = z.string().min(1);
export const flag = z.boolean();
export const lifecycleStages = z
  .array(z.string().min(1))
  .min(1)
  .describe('Internal names of lifecycle stages, for example [customer, opportunity]; case matters');

export type EnvironmentReference = z.infer<typeof fromEnvironment>;
