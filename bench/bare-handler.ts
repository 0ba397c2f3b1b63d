/** The least that a receiver can do: a bare Hono handler that verifies a delivery and answers. Prints its address. */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { listen } from '../src/base/http/local-server.ts';
import { parseSecret, verify } from '../src/replies/webhook-signature.ts';

const secrets = [parseSecret(process.env['REPLIES_SECRET'] ?? '')];
const app = new Hono();
app.post('/replies', async ({ req, json }) => {
  const body = Buffer.from(await req.arrayBuffer());
  const headers = { get: (name: string) => req.header(name) ?? null };
  const { ok } = verify({ headers, body, secrets, nowSeconds: Date.now() / 1_000 });
  return json({ ok }, ok ? 202 : 401);
});
const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
const { url } = await listen(server);
console.log(`${url}/replies`);
