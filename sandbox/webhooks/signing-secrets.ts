/** Signing secrets and their rotation ("Signature", 5). They are derived from the seed. */
import { limits } from '../../src/service/contract/index.ts';
import { digestOf } from '../deterministic-values.ts';
import { Refusal } from '../service-refusal.ts';
import type { StoredSecrets } from '../state/webhook-records.ts';

interface Owner {
  readonly seed: number;
  /** Id of the address or organisation that owns the secret. */
  readonly id: string;
}

const overlapMs = limits.webhook.dualSignatureHours * 3_600_000;
/** Each secret adds a signature; the best-known Standard Webhooks sender allows ten old ones (A66). */
const maxOlderSecrets = 10;

export function firstSecrets(owner: Owner): StoredSecrets {
  return { made: 1, secrets: [{ secret: secretOf(owner, 0), expiresAt: null }] };
}

/** Each old secret keeps signing for a day after its replacement. Throws a Refusal (409) when there are too many. */
export function rotateSecrets({ made, secrets }: StoredSecrets, owner: Owner, now: number): StoredSecrets {
  const older = secrets.map(({ secret, expiresAt }) => ({ secret, expiresAt: expiresAt ?? now + overlapMs }));
  if (older.filter(({ expiresAt }) => expiresAt > now).length > maxOlderSecrets) {
    const message = `At most ${maxOlderSecrets} old secrets are valid at a time.`;
    throw new Refusal(409, { code: 'SECRET_ROTATED_TOO_OFTEN', message });
  }
  const newest = { secret: secretOf(owner, made), expiresAt: null };
  return { made: made + 1, secrets: [newest, ...older.slice(0, maxOlderSecrets)] };
}

/** The secrets that sign a request, newest first. */
export function validSecrets({ secrets }: StoredSecrets, now: number): string[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ secret }) => secret);
}

/** The secret before the newest, valid or not. */
export function previousSecret({ secrets: [, previous] }: StoredSecrets): string | null {
  return previous?.secret ?? null;
}

function secretOf({ seed, id }: Owner, place: number): string {
  return `whsec_${Buffer.from(digestOf(seed, 'signing secret', id, place), 'hex').toString('base64')}`;
}
