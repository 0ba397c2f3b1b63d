/** Faults that a receiver must tolerate or refuse. Each affects one attempt and changes no stored data. */
import type { DeliveryFault } from './webhook-inputs.ts';
import type { KeptValue } from '../state/data-folder.ts';
import type { WebhookRequest } from './signed-request.ts';

type FaultKind = DeliveryFault['kind'];

export interface DeliveryFaults {
  add(fault: DeliveryFault): void;
  /** Takes one use of the first matching rule, and returns its kind. */
  take(attempt: FaultTarget): FaultKind | null;
  clear(): void;
}

interface FaultTarget {
  readonly organizationId: string;
  /** Null for an order's webhook_url. */
  readonly addressId: string | null;
  /** Kinds that have no effect on this attempt; they stay for a later one. */
  readonly except: readonly FaultKind[];
}

interface KeptRule {
  readonly fault: DeliveryFault;
  left: number;
}

export function createDeliveryFaults(kept?: KeptValue<readonly KeptRule[]>): DeliveryFaults {
  const rules: KeptRule[] = [...(kept?.load() ?? [])];
  const keep = () => kept?.save(rules);
  return {
    add(fault) {
      rules.push({ fault, left: fault.times });
      keep();
    },
    take({ organizationId, addressId, except }) {
      const index = rules.findIndex(
        ({ fault }) =>
          (fault.organization_id ?? organizationId) === organizationId &&
          (fault.address_id ?? addressId) === addressId &&
          !except.includes(fault.kind),
      );
      const rule = rules[index];
      if (!rule) return null;
      rule.left -= 1;
      if (rule.left === 0) rules.splice(index, 1);
      keep();
      return rule.fault.kind;
    },
    clear() {
      rules.splice(0);
      keep();
    },
  };
}

/** Twice what a receiver tolerates. */
const staleSeconds = 600;
/** A valid secret that belongs to no address. */
const unknownSecret = `whsec_${Buffer.alloc(32, 0x5a).toString('base64')}`;

interface Signing {
  readonly timestampSeconds: number;
  readonly secrets: readonly string[];
}

/** Applies a fault to the signing of an attempt. */
export function alterSigning(kind: FaultKind | null, signing: Signing, previous: string | null): Signing {
  if (kind === 'stale_timestamp') return { ...signing, timestampSeconds: signing.timestampSeconds - staleSeconds };
  if (kind === 'wrong_signature') return { ...signing, secrets: [unknownSecret] };
  if (kind === 'old_key_only' && previous !== null) return { ...signing, secrets: [previous] };
  return signing;
}

/** Applies a fault to the body of a signed request. */
export function alterBody(kind: FaultKind | null, request: WebhookRequest): WebhookRequest {
  if (kind === 'reserialised_body') return { ...request, body: serialiseAgain(request.body) };
  if (kind === 'bit_flip') return { ...request, body: flipBit(request.body) };
  if (kind === 'truncated') return { ...request, body: request.body.subarray(0, request.body.length >>> 1) };
  return request;
}

/** The same JSON with other white space. */
function serialiseAgain(body: Uint8Array): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body)), null, 1));
}

function flipBit(body: Uint8Array): Uint8Array {
  const place = body.length >>> 1;
  return body.map((byte, at) => (at === place ? byte ^ 1 : byte));
}
