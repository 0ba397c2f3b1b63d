/** Finds or creates the output attempt of a request: "each result-set destination is one logical output" (rule 4; A38 to A40). */
import { limits, type OutputInput } from '../../src/service/contract/index.ts';
import { digestOf } from '../deterministic-values.ts';
import { fingerprintOf } from './idempotency.ts';
import { refuse } from '../service-refusal.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredOrder, StoredOutput } from '../state/stored-records.ts';

interface OutputRequest {
  readonly order: StoredOrder;
  readonly body: OutputInput;
  /** The body as it was sent. */
  readonly sent: unknown;
  readonly idempotencyKey: string | null;
}

interface Claimed {
  readonly output: StoredOutput;
  /** False when the request replays an attempt. */
  readonly created: boolean;
  /** Returned to a request without a key. */
  readonly derivedKey: string;
}

interface Attempts {
  readonly hasFailed: (output: StoredOutput) => boolean;
  /** `earlier` is the number of attempts at the same destination so far. */
  readonly begin: (facts: {
    readonly derivedKey: string | null;
    readonly earlier: number;
    /** As requested, or that of the order's profile. */
    readonly language: string;
  }) => StoredOutput;
}

/** Throws a Refusal (409) if the key was used for another request, another explicit key has the destination, or the order has too many outputs. */
export function claimOutput(
  organization: Organization,
  { order, body, sent, idempotencyKey }: OutputRequest,
  { hasFailed, begin }: Attempts,
): Claimed {
  const { claims } = organization;
  const outputs = organization.outputs(order.id);
  const destinations = organization.destinations(order.id);
  const language = body.output_language ?? languageOf(organization, order) ?? 'en';
  const destination = toDestination(body, language);
  const derivedKey = `output-${digestOf(order.id, destination).slice(0, 40)}`;
  const explicitKey = idempotencyKey === derivedKey ? null : idempotencyKey;
  const fingerprint = explicitKey === null ? null : fingerprintOf(sent);
  const remember = (output: StoredOutput, created: boolean): Claimed => {
    const claim = { orderId: order.id, destination, fingerprint, outputId: output.id };
    claims.set(explicitKey ?? derivedKey, claim);
    return { output, created, derivedKey };
  };

  const claim = explicitKey === null ? undefined : claims.get(explicitKey);
  if (claim && (claim.orderId !== order.id || claim.fingerprint !== fingerprint)) {
    throw refuse('IDEMPOTENCY_KEY_CONFLICT', 'The Idempotency-Key was used for another request; use a new key.');
  }
  const place = destinations.get(destination);
  const latest = place && outputs.get(place.outputId);
  const existing = claim ? outputs.get(claim.outputId) : latest;
  if (existing && (claim || explicitKey === null)) return remember(existing, false);
  if (latest && !hasFailed(latest) && place.key === null) {
    destinations.set(destination, { outputId: latest.id, key: explicitKey });
    return remember(latest, false);
  }
  if (latest && !hasFailed(latest)) {
    const message = 'Another Idempotency-Key has claimed this destination; use that key or send none.';
    throw refuse('OUTPUT_IDEMPOTENCY_CONFLICT', message, { order_id: order.id });
  }
  if (!latest && destinations.size >= limits.outputsPerOrder) {
    const message = `An order has at most ${limits.outputsPerOrder} outputs.`;
    throw refuse('OUTPUT_QUOTA_EXCEEDED', message, { order_id: order.id });
  }
  const earlier = organization.count(`output/${order.id}/${destination}`);
  const output = begin({ derivedKey: explicitKey === null ? derivedKey : null, earlier, language });
  outputs.set(output.id, output);
  destinations.set(destination, { outputId: output.id, key: explicitKey });
  return remember(output, true);
}

/** Output language of the order's profile. */
function languageOf({ creations, profiles }: Organization, { profileId }: StoredOrder): string | undefined {
  return creations.get(profiles.get(profileId) ?? '')?.input.output_language;
}

/** A38 */
function toDestination({ output_type, spreadsheet_id }: OutputInput, language: string): string {
  return JSON.stringify([
    output_type,
    language.toLowerCase(),
    ...(output_type === 'google_sheets' ? [spreadsheet_id] : []),
  ]);
}
