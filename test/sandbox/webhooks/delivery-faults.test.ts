import type { DeliveryFault } from '../../../sandbox/webhooks/webhook-inputs.ts';
import { answer, check, createWebhookService, minute, url, wall } from './webhook-harness.ts';

/** One reply under a fault, and one after it. */
async function spoil(
  kind: DeliveryFault['kind'],
  prepare: (service: ReturnType<typeof createWebhookService>) => void = () => {},
) {
  const service = createWebhookService();
  prepare(service);
  service.webhooks.faults.add({ kind, times: 1 });
  for (let place = 0; place < 2; place += 1) {
    service.receive({ reply_text: `Reply ${place}` });
    await service.wait(0);
  }
  const stored = service.deliveries().map(({ body }) => body);
  return { ...service, stored, verdicts: service.sent.map(({ request }) => check(request, service.secret())) };
}

describe('a delivery fault', () => {
  it('duplicate: sends the same request twice, as one attempt', async () => {
    const { sent, verdicts, deliveries } = await spoil('duplicate');
    expect(sent).toHaveLength(3);
    expect([sent[1]?.headers, sent[1]?.text]).toEqual([sent[0]?.headers, sent[0]?.text]);
    expect(verdicts).toEqual(['verified', 'verified', 'verified']);
    expect(deliveries().map(({ attempts }) => attempts.length)).toEqual([1, 1]);
  });

  it('reorder: sends a request after the next one', async () => {
    const { sent, verdicts, deliveries } = await spoil('reorder');
    expect(sent.map(({ body }) => body.data.reply_text)).toEqual(['Reply 1', 'Reply 0']);
    expect(verdicts).toEqual(['verified', 'verified']);
    expect(deliveries({ state: 'delivered' })).toHaveLength(2);
  });

  it('reorder: applies no further fault to the request', async () => {
    const { webhooks, receive, wait, sent, secret } = createWebhookService();
    webhooks.faults.add({ kind: 'reorder', times: 1 });
    webhooks.faults.add({ kind: 'wrong_signature', times: 2 });
    for (const reply_text of ['0', '1', '2']) {
      receive({ reply_text });
      await wait(0);
    }
    expect(sent.map(({ body, request }) => [body.data.reply_text, check(request, secret())])).toEqual([
      ['1', 'no_match'],
      ['0', 'verified'],
      ['2', 'no_match'],
    ]);
  });

  it('reorder: does not affect tests', async () => {
    const { webhooks, organizationId, actionId, receive, wait, sent } = createWebhookService();
    webhooks.faults.add({ kind: 'reorder', times: 1 });
    await webhooks.replies.sendTest(organizationId, actionId);
    receive();
    await wait(0);
    expect(sent).toHaveLength(1);
  });

  it('stale_timestamp: has a valid signature for a time that receivers refuse', async () => {
    const { sent, secret, verdicts } = await spoil('stale_timestamp');
    expect(verdicts).toEqual(['timestamp_too_old', 'verified']);
    expect(check(sent[0]?.request, secret(), Math.floor(wall / 1_000) - 600)).toBe('verified');
  });

  it('wrong_signature: is signed with an unknown secret', async () => {
    expect((await spoil('wrong_signature')).verdicts).toEqual(['no_match', 'verified']);
  });

  it('old_key_only: is signed only with the secret before the last rotation', async () => {
    let old = '';
    const { sent, verdicts } = await spoil('old_key_only', ({ webhooks, organizationId, addressId, secret }) => {
      old = secret();
      webhooks.addresses.rotateSecret(organizationId, addressId, { role: 'owner' });
    });
    expect(verdicts).toEqual(['no_match', 'verified']);
    expect(check(sent[0]?.request, old)).toBe('verified');
  });

  it('old_key_only: waits for a rotation', async () => {
    const { verdicts, webhooks, organizationId, addressId, receive, wait, sent, secret } = await spoil('old_key_only');
    expect(verdicts).toEqual(['verified', 'verified']);
    webhooks.addresses.rotateSecret(organizationId, addressId, { role: 'owner' });
    receive();
    await wait(0);
    expect(check(sent.at(-1)?.request, secret())).toBe('no_match');
  });

  it('reserialised_body: contains the same JSON in other bytes', async () => {
    const { sent, stored, verdicts } = await spoil('reserialised_body');
    expect(verdicts).toEqual(['no_match', 'verified']);
    expect(sent[0]?.body).toEqual(JSON.parse(stored[0] ?? ''));
  });

  it('bit_flip: differs in one bit', async () => {
    const { sent, stored, verdicts } = await spoil('bit_flip');
    expect(verdicts).toEqual(['no_match', 'verified']);
    const original = new TextEncoder().encode(stored[0]);
    const differing = [...(sent[0]?.request.body ?? [])].map((byte, at) => byte ^ (original[at] ?? 0)).filter(Boolean);
    expect(differing).toEqual([1]);
  });

  it('truncated: ends in the middle', async () => {
    const { sent, stored, verdicts } = await spoil('truncated');
    expect(verdicts).toEqual(['no_match', 'verified']);
    expect(stored[0]?.startsWith(sent[0]?.text ?? 'x')).toBe(true);
    expect(sent[0]?.body).toBeNull();
  });

  it('affects one attempt, and never the stored body', async () => {
    const { webhooks, receive, wait, sent, secret } = createWebhookService({
      answers: (_place, request) => answer(check(request, secret()) === 'verified' ? 200 : 503),
    });
    webhooks.faults.add({ kind: 'bit_flip', times: 2 });
    receive();
    await wait(3 * minute);
    expect(sent.map(({ request }) => check(request, secret()))).toEqual(['no_match', 'no_match', 'verified']);
  });

  it('can affect one address or organisation', async () => {
    const { webhooks, organizationId, addressId, receive, wait, sent, secret } = createWebhookService();
    const other = webhooks.addresses.add(organizationId, { role: 'owner', added_by: 'Olga', url: `${url}/2` });
    webhooks.faults.add({ kind: 'wrong_signature', times: 1, address_id: other.address_id });
    webhooks.faults.add({ kind: 'wrong_signature', times: 1, organization_id: 'other' });
    const verdict = async () => {
      receive();
      await wait(0);
      return check(sent.at(-1)?.request, secret());
    };
    expect(await verdict()).toBe('verified');
    webhooks.faults.add({ kind: 'wrong_signature', times: 1, address_id: addressId, organization_id: organizationId });
    expect(await verdict()).toBe('no_match');
    webhooks.faults.add({ kind: 'wrong_signature', times: 1 });
    webhooks.faults.clear();
    expect(await verdict()).toBe('verified');
  });
});
