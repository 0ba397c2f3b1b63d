/** Signing secrets and their rotation ("Signature", 5). They follow from the seed, so that the same seed signs the same. */
import { limits } from '../../src/contract/index.ts';
import { digestOf } from '../deterministic-values.ts';
import { Refusal } from '../service-refusal.ts';
import type { StoredSecrets } from '../state/webhook-records.ts';

interface Owner {
  readonly seed: number;
  /** The id of what the secret belongs to. */
  readonly id: string;
}

const overlapMs = limits.webhook.dualSignatureHours * 3_600_000;
/** Each gives a signature; Standard Webhooks' best-known sender stops at ten old ones (A66). */
const olderAtMost = 10;

export function firstSecrets(owner: Owner): StoredSecrets {
  return { made: 1, secrets: [{ secret: secretOf(owner, 0), expiresAt: null }] };
}

/** The old secrets go on signing, each for a day from its own replacement. Throws a Refusal (409) when they become too many. */
export function rotateSecrets({ made, secrets }: StoredSecrets, owner: Owner, now: number): StoredSecrets {
  const older = secrets.map(({ secret, expiresAt }) => ({ secret, expiresAt: expiresAt ?? now + overlapMs }));
  if (older.filter(({ expiresAt }) => expiresAt > now).length > olderAtMost) {
    const message = `At most ${olderAtMost} old secrets are valid at a time.`;
    throw new Refusal(409, { code: 'SECRET_ROTATED_TOO_OFTEN', message });
  }
  const newest = { secret: secretOf(owner, made), expiresAt: null };
  return { made: made + 1, secrets: [newest, ...older.slice(0, olderAtMost)] };
}

/** What signs a request, the newest first. */
export function validSecrets({ secrets }: StoredSecrets, now: number): string[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ secret }) => secret);
}

/** The one before the newest, in force or not. */
export function previousSecret({ secrets: [, previous] }: StoredSecrets): string | null {
  return previous?.secret ?? null;
}

function secretOf({ seed, id }: Owner, place: number): string {
  return `whsec_${Buffer.from(digestOf(seed, 'signing secret', id, place), 'hex').toString('base64')}`;
}
