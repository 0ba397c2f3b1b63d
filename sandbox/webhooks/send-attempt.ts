/** Sends one attempt: signs the request, applies a fault, and returns the answer or the error. */
import type { Clock } from '../clock.ts';
import type { Organization } from '../state/organization.ts';
import { alterBody, alterSigning, type DeliveryFaults } from './delivery-faults.ts';
import type { NoAnswer, ReceiverAnswer } from './delivery-outcome.ts';
import type { DeliveryFault } from './webhook-inputs.ts';
import type { StoredDelivery, StoredSecrets } from '../state/webhook-records.ts';
import { toSignedRequest, type Receiver, type WebhookRequest } from './signed-request.ts';
import { firstSecrets, previousSecret, validSecrets } from './signing-secrets.ts';
import type { SecretStore } from './secret-store.ts';

/** Sends a request and returns the answer. A rejection counts as a broken connection. */
export type Deliver = (
  request: WebhookRequest & { readonly signal: AbortSignal },
) => Promise<ReceiverAnswer | NoAnswer>;

export interface SendingDependencies {
  readonly seed: number;
  readonly clock: Clock;
  readonly deliver: Deliver;
  /** Milliseconds since 1970 by the receivers' clock. */
  readonly receiverNow: () => number;
  /** Milliseconds for measuring. */
  readonly stopwatch: () => number;
  readonly faults: DeliveryFaults;
  readonly secretStore: SecretStore;
}

/** URL, key header and secrets of a delivery; null when its address was removed. */
export interface Route extends Receiver {
  readonly secrets: StoredSecrets;
  readonly addressId: string | null;
}

export function findRoute(
  organization: Organization,
  { subject }: StoredDelivery,
  { seed, secretStore }: Pick<SendingDependencies, 'seed' | 'secretStore'>,
): Route | null {
  if (subject.kind === 'order_status') {
    return { url: subject.url, key: null, addressId: null, secrets: orderSecrets(organization, seed) };
  }
  const address = organization.webhooks.addresses.get(subject.addressId);
  const secrets = organization.webhooks.signingSecrets.get(subject.addressId);
  if (!address || !secrets) return null;
  const key = address.key && { name: address.key.name, value: secretStore.decrypt(address.key.sealed) };
  return { url: address.url, key, addressId: address.id, secrets };
}

/** Signing secrets of an organisation's order notifications (A61). */
export function orderSecrets({ id, webhooks }: Organization, seed: number): StoredSecrets {
  return webhooks.signingSecrets.get(id) ?? firstSecrets({ seed, id });
}

/** The fault that applies to the next attempt of a delivery. */
export function takeFault(
  organization: Organization,
  delivery: StoredDelivery,
  { addressId, secrets }: Route,
  faults: DeliveryFaults,
): DeliveryFault['kind'] | null {
  const except: DeliveryFault['kind'][] = [];
  // The caller waits for the result of a test, so it cannot be held back.
  if (delivery.subject.kind === 'test') except.push('reorder');
  if (previousSecret(secrets) === null) except.push('old_key_only');
  return faults.take({ organizationId: organization.id, addressId, except });
}

/** Null when the signal aborted it. */
export async function sendAttempt(
  dependencies: SendingDependencies,
  delivery: StoredDelivery,
  { route, fault, signal }: { route: Route; fault: DeliveryFault['kind'] | null; signal: AbortSignal },
) {
  const startedAt = dependencies.clock.now();
  const secrets = validSecrets(route.secrets, startedAt);
  const timestampSeconds = Math.floor(dependencies.receiverNow() / 1_000);
  const signing = alterSigning(fault, { timestampSeconds, secrets }, previousSecret(route.secrets));
  const request = alterBody(fault, toSignedRequest(delivery, route, signing));
  const before = dependencies.stopwatch();
  const answers = [send(dependencies.deliver, request, signal)];
  if (fault === 'duplicate') answers.push(send(dependencies.deliver, request, signal));
  const [answer] = await Promise.all(answers);
  if (!answer || signal.aborted) return null;
  const durationMs = Math.round(dependencies.stopwatch() - before);
  return { answer, startedAt, durationMs, now: dependencies.clock.now(), receiverNow: dependencies.receiverNow() };
}

async function send(deliver: Deliver, request: WebhookRequest, signal: AbortSignal) {
  try {
    return await deliver({ ...request, signal });
  } catch {
    return { kind: 'error', error: 'reset', code: null } satisfies NoAnswer;
  }
}
