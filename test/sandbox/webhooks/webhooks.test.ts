import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { parseAllowance } from '../../../src/sandbox/webhooks/public-address.ts';
import { createClock } from '../../../src/sandbox/clock.ts';
import { createServiceSandbox } from '../../../src/sandbox/service/sandbox.ts';
import { parseSecret, verify } from '../../../src/webhook/signature.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A receiver on a port of this machine, and a stand-in that may write to it; nothing between them is injected. */
async function connect(respond: RequestListener, allowed = ['127.0.0.1/32']) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    respond(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const clock = createClock({ frozenAt: Date.parse('2026-11-20T12:00:00Z') });
  const service = createServiceSandbox({ clock, receivers: { allowed: parseAllowance(allowed) } });
  closing.push(async () => {
    service.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { organizationId } = service.createOrganization({ name: 'test' });
  const { webhooks } = service;
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/in`;
  const address = webhooks.addresses.add(organizationId, {
    role: 'owner',
    added_by: 'Olga',
    url,
    key_header: { name: 'X-Key', value: 'open sesame' },
  });
  const { action_id } = webhooks.actions.add(organizationId, {
    campaign_id: 'autumn',
    address_id: address.address_id,
    added_by: 'Anna',
  });
  const reply = { campaign_id: 'autumn', reply_from_email: 'a@b.example' } as const;
  return {
    webhooks,
    organizationId,
    actionId: action_id,
    received,
    clock,
    receive: () => webhooks.replies.receive(organizationId, { ...reply, classification: 'referral' }),
    wait: (seconds: number) => clock.advanceTo(clock.now() + seconds * 1_000),
    secret: webhooks.addresses.secret(organizationId, address.address_id, { role: 'owner' }).secret,
    deliveries: () => webhooks.deliveries.list(organizationId),
  };
}

describe('createWebhooks', () => {
  it('reaches a receiver over HTTP, which verifies what it gets, and so does the reference library', async () => {
    const { receive, wait, received, secret, deliveries } = await connect((_, response) => {
      response.writeHead(202).end('thanks');
    });
    receive();
    await wait(0);
    expect(deliveries()).toMatchObject([{ state: 'delivered', attempts: [{ status: 202, text: 'thanks' }] }]);
    const [{ headers, body }] = received as [Received];
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': expect.stringMatching(/^\w+-Webhooks\/1\.0$/),
      'x-key': 'open sesame',
    });
    const got = new Headers(headers as Record<string, string>);
    const nowSeconds = Date.now() / 1_000;
    expect(verify({ headers: got, body, secrets: [parseSecret(secret)], nowSeconds })).toEqual({
      ok: true,
      secretIndex: 0,
    });
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body.toString()));
  });

  it('goes on after a receiver that was down, by the clock of the stand-in', async () => {
    let down = true;
    const { receive, wait, received, deliveries } = await connect((request, response) => {
      if (down) request.socket.destroy();
      else response.writeHead(204).end();
    });
    receive();
    await wait(0);
    expect(deliveries()).toMatchObject([{ state: 'pending', attempts: [{ error: 'reset' }] }]);
    down = false;
    await wait(60);
    expect(deliveries()).toMatchObject([{ state: 'delivered', attempts: [{}, { status: 204 }] }]);
    expect(received[1]?.body.equals(received[0]?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it('ends an exchange when it is closed or everything is replaced', async () => {
    const arrived = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const { webhooks, receive, deliveries } = await connect((request) => {
      request.socket.once('close', () => ended.resolve());
      arrived.resolve();
    });
    receive();
    await arrived.promise;
    webhooks.close();
    await ended.promise;
    expect(deliveries()).toMatchObject([{ state: 'pending', attempts: [] }]);
  });

  it('writes to no address of this machine by itself', async () => {
    await expect(connect(() => {}, [])).rejects.toMatchObject({
      status: 422,
      body: { code: 'RECEIVER_ADDRESS_REFUSED' },
    });
  });
});
