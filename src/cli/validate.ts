import { readConfiguration, type GlobalOptions } from './configuration.ts';

export interface Validity {
  readonly ok: true;
  readonly exclusions: readonly string[];
  readonly runs: readonly string[];
}

/** Throws with every problem of the file. */
export async function validate(
  { config: path }: GlobalOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Validity> {
  const { exclusions, runs } = await readConfiguration(path, env);
  return { ok: true, exclusions: Object.keys(exclusions), runs: Object.keys(runs) };
}

export function toValidText({ exclusions, runs }: Validity): string {
  return `valid: runs ${runs.join(', ') || 'none'}; exclusions ${exclusions.join(', ') || 'none'}`;
}
