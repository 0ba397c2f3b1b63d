import type { Deliver } from '../../../sandbox/webhooks/send-attempt.ts';
import type { ReplyInput } from '../../../sandbox/webhooks/webhook-inputs.ts';
import type { ReceiverOptions } from '../../../sandbox/webhooks/create-webhooks.ts';
import { parseSecret, verify } from '../../../src/replies/webhook-signature.ts';
import { createTestService } from '../service/service-harness.ts';

type Answer = Awaited<ReturnType<Deliver>>;
type Request = Parameters<Deliver>[0];

interface AnswerOptions {
  readonly text?: string;
  readonly location?: string;
  readonly retryAfter?: string;
}

export function answer(status: number, { text = '', location, retryAfter }: AnswerOptions = {}): Answer {
  return { kind: 'answer', status, text, location: location ?? null, retryAfter: retryAfter ?? null };
}

export const timeout: Answer = { kind: 'error', error: 'timeout', code: null };
export const url = 'https://hooks.receiver.example/in';
export const minute = 60;
export const hour = 3_600;
export const day = 24 * hour;

/** Time of the machine's clock; the sandbox has its own clock. */
export const wall = Date.parse('2031-05-06T07:08:09.500Z');

// Tests may read any field; the sandbox itself checks answers against the contract.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

interface Sent {
  readonly at: number;
  readonly request: Request;
  readonly text: string;
  readonly body: Json;
  readonly headers: Record<string, string>;
}

interface WebhookServiceOptions extends Omit<ReceiverOptions, 'deliver'> {
  /** What the receiver answers to the nth request, counted from 0; by default 204. */
  readonly answers?: (place: number, request: Request) => Answer | Promise<Answer>;
  readonly seed?: number;
}

/** A sandbox with one receiver address (added by Olga) and one action of the campaign `autumn` (added by Anna). */
export function createWebhookService({
  answers = () => answer(204),
  seed = 1,
  ...receivers
}: WebhookServiceOptions = {}) {
  const sent: Sent[] = [];
  const deliver: Deliver = async (request) => {
    const text = new TextDecoder().decode(request.body);
    sent.push({ at: service.clock.now(), request, text, body: parsed(text), headers: { ...request.headers } });
    return answers(sent.length - 1, request);
  };
  const service = createTestService({ seed, receivers: { wallNow: () => wall, ...receivers, deliver } });
  const { webhooks } = service.service;
  const { organizationId, clock } = service;
  const { address_id: addressId } = webhooks.addresses.add(organizationId, { role: 'owner', added_by: 'Olga', url });
  const campaign = { campaign_id: 'autumn', campaign_name: 'Autumn', flow_name: 'First contact' };
  const addAction = (more: Partial<Parameters<typeof webhooks.actions.add>[1]> = {}) =>
    webhooks.actions.add(organizationId, { ...campaign, address_id: addressId, added_by: 'Anna', ...more }).action_id;
  const actionId = addAction();

  return {
    ...service,
    webhooks,
    addressId,
    actionId,
    addAction,
    sent,
    /** The data of the newest request. */
    newest: (): Json => sent.at(-1)?.body.data ?? {},
    /** Moves the clock and waits for all due work. */
    wait: (seconds: number) => clock.advanceTo(clock.now() + seconds * 1_000),
    receive: (more: Partial<ReplyInput> = {}) =>
      webhooks.replies.receive(organizationId, {
        classification: 'interested',
        campaign_id: 'autumn',
        ...(more.prospect ? {} : { reply_from_email: 'somebody@elsewhere.example' }),
        ...more,
      }),
    delivery: (id: string | undefined) => webhooks.deliveries.get(organizationId, id ?? ''),
    /** Oldest first. */
    deliveries: (filter = {}) => webhooks.deliveries.list(organizationId, filter, { limit: 1_000 }).toReversed(),
    notices: () => webhooks.deliveries.notices(organizationId),
    address: () => webhooks.addresses.get(organizationId, addressId),
    secret: () => webhooks.addresses.secret(organizationId, addressId, { role: 'owner' }).secret,
  };
}

/** Verifies a request with a secret: `verified`, or the reason of the refusal. */
export function check(request: Request | undefined, secret: string, nowSeconds = Math.floor(wall / 1_000)) {
  if (!request) throw new Error('nothing was sent');
  const headers = new Headers(request.headers);
  const result = verify({ headers, body: request.body, secrets: [parseSecret(secret)], nowSeconds });
  return result.ok ? 'verified' : result.reason;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
