import { Hono, type Context } from 'hono';
import type { SandboxEnvironment } from '../request-environment.ts';
import { invalid, notBuilt } from '../api-error.ts';
import { answerBatch } from '../batch-response.ts';
import { requireScope } from '../scopes.ts';
import { listStatuses, readOptOut, setStatus, unsubscribeAll } from './statuses.ts';

// Older than any portal, as are the types of subscription that every portal has.
const since = '2019-08-06T02:41:08.000Z';

/** Which emails an address wants, relative to `/communication-preferences/v4`. */
export function communicationRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.get('/definitions', (c) => {
    requireAccess(c, 'read');
    const results = c.var.portal.preferences.types.map(({ id, ...type }) => ({
      id: String(id),
      ...type,
      isActive: true,
      isDefault: true,
      isInternal: type.name === 'One to One',
      createdAt: since,
      updatedAt: since,
      businessUnitId: 0,
    }));
    const now = c.var.portal.clock().toISOString();
    return answerBatch(200, results, [], now, now);
  });
  routes.get('/statuses/:email', (c) => listStatuses(c.var.portal, addressFor(c, 'read', c.req.query('channel'))));
  routes.post('/statuses/:email', (c) =>
    setStatus(c.var.portal, c.var.version, c.req, addressFor(c, 'write', 'EMAIL')),
  );
  const all = '/statuses/:email/unsubscribe-all';
  routes.get(all, (c) => readOptOut(c.var.portal, addressFor(c, 'read', c.req.query('channel'))));
  routes.post(all, (c) => unsubscribeAll(c.var.portal, addressFor(c, 'write', c.req.query('channel'))));
  return routes;
}

function requireAccess(c: Context<SandboxEnvironment>, access: 'read' | 'write'): void {
  requireScope(c.var.scopes, [`communication_preferences.${access}`, 'communication_preferences.read_write']);
}

function addressFor(c: Context<SandboxEnvironment>, access: 'read' | 'write', channel: string | undefined): string {
  const email = c.req.param('email') ?? '';
  // Batches need a scope and a subscription of their own.
  if (email === 'batch') throw notBuilt('batches of subscription statuses');
  requireAccess(c, access);
  if (channel !== 'EMAIL') throw invalid('channel must be EMAIL.');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalid('The subscriber is not an email address.');
  return email;
}
