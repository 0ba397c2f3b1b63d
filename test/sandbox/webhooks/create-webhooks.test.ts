import { Webhook } from 'standardwebhooks';
import { parseSecret, verify } from '../../../src/replies/webhook-signature.ts';
import { closeAll, connect, type Received } from './receiver.ts';

afterEach(closeAll);

describe('createWebhooks', () => {
  it('sends a webhook over HTTP that the receiver and the reference library verify', async () => {
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

  it('retries on the sandbox clock after the receiver was down', async () => {
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

  it('aborts requests when it is closed or reset', async () => {
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

  it('sends nothing to this machine by default', async () => {
    await expect(connect(() => {}, [])).rejects.toMatchObject({
      status: 422,
      body: { code: 'RECEIVER_ADDRESS_REFUSED' },
    });
  });
});
