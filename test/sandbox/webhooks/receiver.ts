import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClock } from '../../../sandbox/clock.ts';
import { createServiceSandbox } from '../../../sandbox/service/service-sandbox.ts';
import { parseAllowance } from '../../../src/base/http/public-address.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const closing: (() => Promise<void>)[] = [];

/** To be called after each test. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close();
}

/** A real receiver on a local port, and a sandbox that may call it. */
export async function connect(respond: RequestListener, allowed = ['127.0.0.1/32']) {
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
    deliveries: () => webhooks.deliveries.list(organizationId).toReversed(),
  };
}
