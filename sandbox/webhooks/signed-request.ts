/** The signed HTTP request of one attempt ("Request sent to the receiver"). */
import { webhookProduct } from '../../src/service/contract/webhook-assumptions.ts';
import { parseSecret, sign, signatureHeaders } from '../../src/replies/webhook-signature.ts';
import type { StoredDelivery } from '../state/webhook-records.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Receiver {
  readonly url: string;
  readonly key: { readonly name: string; readonly value: string } | null;
}

interface Signing {
  readonly timestampSeconds: number;
  /** `whsec_…`, newest first. */
  readonly secrets: readonly string[];
}

export function toSignedRequest(
  { id, body: text }: Pick<StoredDelivery, 'id' | 'body'>,
  { url, key }: Receiver,
  { timestampSeconds, secrets }: Signing,
): WebhookRequest {
  const body = new TextEncoder().encode(text);
  return {
    url,
    headers: {
      ...(key ? { [key.name]: key.value } : {}),
      'content-type': 'application/json',
      'user-agent': `${webhookProduct}-Webhooks/1.0`,
      [signatureHeaders.id]: id,
      [signatureHeaders.timestamp]: String(timestampSeconds),
      [signatureHeaders.signature]: sign({ id, timestampSeconds, body, secrets: secrets.map(parseSecret) }),
    },
    body,
  };
}
