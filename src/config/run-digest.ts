import { digest } from '../reconcile/canonical.ts';
import type { ConfigFile } from './file-schema.ts';

/**
 * Twelve hex digits over what the file says about a run: its own settings and those it uses. Paths count as they are
 * written and secrets not at all, so that the digest is the same on every machine.
 */
export function runDigest(file: ConfigFile, { schedule: _, ...run }: ConfigFile['runs'][string]): string {
  const names = run.kind === 'discovery' ? run.exclusions : [];
  return digest({
    run,
    exclusions: names.map((name) => [name, file.exclusions[name]]),
    crm: run.crm ? { mapping: file.mapping, contacts: file.contacts } : null,
  }).slice(0, 12);
}
