/** Faults that a receiver must tolerate or refuse. Each affects one attempt and changes nothing that is stored. */
import type { DeliveryFault } from './webhook-inputs.ts';
import type { WebhookRequest } from './signed-request.ts';

type FaultKind = DeliveryFault['kind'];

export interface DeliveryFaults {
  add(fault: DeliveryFault): void;
  /** The kind of the first rule that fits, which has then one time less. */
  take(attempt: FaultTarget): FaultKind | null;
  clear(): void;
}

interface FaultTarget {
  readonly organizationId: string;
  /** Null for an order's webhook_url. */
  readonly addressId: string | null;
  /** Kinds that would mean nothing here, and are kept for an attempt where they do. */
  readonly except: readonly FaultKind[];
}

export function createDeliveryFaults(): DeliveryFaults {
  const rules: { readonly fault: DeliveryFault; left: number }[] = [];
  return {
    add(fault) {
      rules.push({ fault, left: fault.times });
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
      return rule.fault.kind;
    },
    clear: () => void rules.splice(0),
  };
}

/** Twice what a receiver tolerates. */
const staleSeconds = 600;
/** Well-formed, but of no address. */
const unknownSecret = `whsec_${Buffer.alloc(32, 0x5a).toString('base64')}`;

interface Signing {
  readonly timestampSeconds: number;
  readonly secrets: readonly string[];
}

/** How an attempt is signed under a fault. */
export function alterSigning(kind: FaultKind | null, signing: Signing, previous: string | null): Signing {
  if (kind === 'stale_timestamp') return { ...signing, timestampSeconds: signing.timestampSeconds - staleSeconds };
  if (kind === 'wrong_signature') return { ...signing, secrets: [unknownSecret] };
  if (kind === 'old_key_only' && previous !== null) return { ...signing, secrets: [previous] };
  return signing;
}

/** What becomes of a signed request on its way. */
export function alterBody(kind: FaultKind | null, request: WebhookRequest): WebhookRequest {
  if (kind === 'reserialised_body') return { ...request, body: serialiseAgain(request.body) };
  if (kind === 'bit_flip') return { ...request, body: flipBit(request.body) };
  if (kind === 'truncated') return { ...request, body: request.body.subarray(0, request.body.length >>> 1) };
  return request;
}

/** The same JSON in other bytes. */
function serialiseAgain(body: Uint8Array): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body)), null, 1));
}

function flipBit(body: Uint8Array): Uint8Array {
  const place = body.length >>> 1;
  return body.map((byte, at) => (at === place ? byte ^ 1 : byte));
}
