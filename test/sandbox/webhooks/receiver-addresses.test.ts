import { parseSecret } from '../../../src/replies/webhook-signature.ts';
import { parseAllowance } from '../../../src/base/http/public-address.ts';
import { answer, createWebhookService, day, hour, url } from './webhook-harness.ts';

const refusal = (status: number, code: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ code }) });

describe('addresses', () => {
  it('are listed with their kept replies, with one pass over open deliveries', async () => {
    const { service, webhooks, organizationId, addressId, receive, wait } = createWebhookService({
      answers: () => answer(410),
    });
    for (const place of [1, 2, 3]) {
      webhooks.addresses.add(organizationId, { role: 'admin', added_by: 'Olga', url: `${url}/${place}` });
    }
    receive();
    await wait(0);
    receive();
    receive();
    const reads = jest.spyOn(service.organization(organizationId).webhooks.openDeliveries, 'values');
    const listed = webhooks.addresses.list(organizationId);
    expect(listed.map(({ kept_replies }) => kept_replies)).toEqual([2, 0, 0, 0]);
    expect(reads).toHaveBeenCalledTimes(1);
    expect(listed[0]).toEqual(webhooks.addresses.get(organizationId, addressId));
    service.close();
  });

  it('can be on this machine when that is allowed', () => {
    const { webhooks, organizationId } = createWebhookService({ allowed: parseAllowance(['127.0.0.1/32']) });
    const add = (url: string) => webhooks.addresses.add(organizationId, { role: 'admin', added_by: 'Olga', url });
    expect(add('http://127.0.0.1:8080/in').state).toBe('active');
    expect(() => add('http://127.0.0.2:8080/in')).toThrow(refusal(422, 'RECEIVER_ADDRESS_REFUSED'));
  });

  it('send their key with every request and never show it', async () => {
    const { service, webhooks, organizationId, addressId, actionId, receive, wait, sent } = createWebhookService();
    const change = (key_header: { name: string; value: string } | null) =>
      webhooks.addresses.changeKey(organizationId, addressId, { role: 'admin', key_header });
    expect(change({ name: 'X-Key', value: 'open sesame' }).key_header).toBe('X-Key');
    receive();
    await wait(0);
    expect(sent[0]?.headers['X-Key']).toBe('open sesame');
    const shown = [
      webhooks.addresses.list(organizationId),
      webhooks.addresses.get(organizationId, addressId),
      webhooks.actions.get(organizationId, actionId),
      webhooks.deliveries.list(organizationId),
      webhooks.deliveries.notices(organizationId),
      service.journal,
      // Nor is it readable where it is stored.
      service.organization(organizationId).webhooks.addresses.values(),
    ];
    expect(JSON.stringify(shown)).not.toContain('sesame');
    change(null);
    receive();
    await wait(0);
    expect(Object.keys(sent[1]?.headers ?? {})).toEqual([
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
  });

  it.each([
    'webhook-id',
    'Webhook-Signature',
    'webhook-anything',
    'Content-Type',
    'content-length',
    'Host',
    'connection',
    'transfer-encoding',
    'user-agent',
    'proxy-authorization',
    'two words',
    'umläut',
    '',
  ])('refuse a key header with the name %j', (name) => {
    const { webhooks, organizationId, addressId, address } = createWebhookService();
    expect(() =>
      webhooks.addresses.changeKey(organizationId, addressId, { role: 'owner', key_header: { name, value: 'a' } }),
    ).toThrow(refusal(422, 'KEY_HEADER_REFUSED'));
    expect(address().key_header).toBeNull();
  });

  it.each(['', ' a', 'a\r\nX-Other: b', 'ä', 'a'.repeat(4_097)])('refuse a key header with the value %j', (value) => {
    const { webhooks, organizationId } = createWebhookService();
    const key_header = { name: 'Authorization', value };
    expect(() => webhooks.addresses.add(organizationId, { role: 'owner', added_by: 'Olga', url, key_header })).toThrow(
      refusal(422, 'KEY_HEADER_REFUSED'),
    );
  });

  it('are managed by owners and admins only', () => {
    const { webhooks, organizationId, addressId } = createWebhookService();
    const { addresses, orders } = webhooks;
    const by = { role: 'member' } as const;
    for (const attempt of [
      () => addresses.add(organizationId, { ...by, added_by: 'Max', url }),
      () => addresses.changeKey(organizationId, addressId, { ...by, key_header: null }),
      () => addresses.secret(organizationId, addressId, by),
      () => addresses.rotateSecret(organizationId, addressId, by),
      () => addresses.remove(organizationId, addressId, by),
      () => orders.secret(organizationId, by),
      () => orders.rotateSecret(organizationId, by),
    ]) {
      expect(attempt).toThrow(refusal(403, 'WEBHOOK_ROLE_REQUIRED'));
    }
  });

  it('are removed when no action uses them; their pending deliveries fail', async () => {
    const { webhooks, organizationId, addressId, actionId, receive, wait, sent, deliveries } = createWebhookService({
      answers: () => answer(503),
    });
    receive();
    await wait(0);
    const remove = () => webhooks.addresses.remove(organizationId, addressId, { role: 'admin' });
    expect(remove).toThrow(refusal(409, 'RECEIVER_ADDRESS_IN_USE'));
    webhooks.actions.remove(organizationId, actionId);
    remove();
    expect(webhooks.addresses.list(organizationId)).toEqual([]);
    expect(deliveries()).toMatchObject([{ state: 'failed', reason: 'address_removed' }]);
    await wait(day);
    expect(sent).toHaveLength(1);
    expect(remove).toThrow(refusal(404, 'RECEIVER_ADDRESS_NOT_FOUND'));
  });

  it('of another organisation are unknown', () => {
    const { service, webhooks, addressId, actionId } = createWebhookService();
    const { organizationId: other } = service.createOrganization({ name: 'other' });
    expect(() => webhooks.addresses.get(other, addressId)).toThrow(refusal(404, 'RECEIVER_ADDRESS_NOT_FOUND'));
    expect(() => webhooks.actions.get(other, actionId)).toThrow(refusal(404, 'WEBHOOK_ACTION_NOT_FOUND'));
    const action = { campaign_id: 'autumn', added_by: 'Olga', address_id: addressId };
    expect(() => webhooks.actions.add(other, action)).toThrow(refusal(404, 'RECEIVER_ADDRESS_NOT_FOUND'));
    expect(() => webhooks.addresses.list('nobody')).toThrow(refusal(404, 'ORGANIZATION_NOT_FOUND'));
  });
});

describe('signing secrets', () => {
  it('have 32 bytes derived from seed and address', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => createWebhookService({ seed }));
    expect(parseSecret(one?.secret() ?? '').symmetricKeySize).toBe(32);
    expect(same?.secret()).toBe(one?.secret());
    expect(other?.secret()).not.toBe(one?.secret());
    const { webhooks, organizationId, secret } = createWebhookService();
    const { address_id } = webhooks.addresses.add(organizationId, { role: 'owner', added_by: 'Olga', url });
    expect(webhooks.addresses.secret(organizationId, address_id, { role: 'owner' }).secret).not.toBe(secret());
  });

  it('of several rotations all sign, each for a day after its replacement', async () => {
    const { webhooks, organizationId, addressId, receive, wait, sent } = createWebhookService();
    const rotate = () => webhooks.addresses.rotateSecret(organizationId, addressId, { role: 'owner' });
    const count = async () => {
      receive();
      await wait(0);
      return sent.at(-1)?.headers['webhook-signature']?.split(' ').length;
    };
    rotate();
    await wait(10 * hour);
    rotate();
    expect(await count()).toBe(3);
    await wait(14 * hour);
    expect(await count()).toBe(2);
    await wait(10 * hour);
    expect(await count()).toBe(1);
    const secrets = Array.from({ length: 10 }, () => rotate().secret);
    expect(new Set(secrets).size).toBe(10);
    expect(await count()).toBe(11);
    expect(rotate).toThrow(refusal(409, 'SECRET_ROTATED_TOO_OFTEN'));
    await wait(day);
    expect(rotate().older).toHaveLength(1);
  });
});
