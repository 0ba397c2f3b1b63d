import { Hono, type Context, type HonoRequest } from 'hono';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { validationError, notImplemented } from '../api-error.ts';
import { answerBatch } from '../batch-response.ts';
import { requireScope } from '../scopes.ts';
import { z } from 'zod';
import { contactType } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import { readBody } from '../request-bodies.ts';
import type { ApiVersion } from '../api-versions.ts';
import type { SubscriptionType } from '../portal/preference-store.ts';

// Older than any portal, as are the types of subscription that every portal has.
const since = '2019-08-06T02:41:08.000Z';

/** Email subscriptions of an address, relative to `/communication-preferences/v4`. */
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
  // Batches need other scopes and another plan.
  if (email === 'batch') throw notImplemented('batches of subscription statuses');
  requireAccess(c, access);
  if (channel !== 'EMAIL') throw validationError('channel must be EMAIL.');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw validationError('The subscriber is not an email address.');
  return email;
}

const statusSchema = z.object({
  channel: z.literal('EMAIL'),
  statusState: z.enum(['SUBSCRIBED', 'UNSUBSCRIBED', 'NOT_SPECIFIED']),
  subscriptionId: z.number().int(),
  legalBasis: z
    .enum([
      'LEGITIMATE_INTEREST_PQL',
      'LEGITIMATE_INTEREST_CLIENT',
      'PERFORMANCE_OF_CONTRACT',
      'CONSENT_WITH_NOTICE',
      'NON_GDPR',
      'PROCESS_AND_STORE',
      'LEGITIMATE_INTEREST_OTHER',
    ])
    .optional(),
  legalBasisExplanation: z.string().optional(),
});

type Reason =
  | 'NO_STATUS_CHANGE'
  | 'REQUESTED_CHANGE_OCCURRED'
  | 'RESUBSCRIBE_OCCURRED'
  | 'UNSUBSCRIBE_FROM_ALL_OCCURRED';

function listStatuses(portal: Portal, email: string): Response {
  return answer(
    portal,
    portal.preferences.types.map((type) => viewStatus(portal, email, type)),
  );
}

/** Results are empty while the address has not unsubscribed from everything. */
function readOptOut(portal: Portal, email: string): Response {
  const timestamp = portal.preferences.optedOutAt(email);
  if (timestamp === undefined) return answer(portal, []);
  const subscriberIdString = email;
  const wideStatusType = 'PORTAL_WIDE';
  return answer(portal, [
    { channel: 'EMAIL', status: 'UNSUBSCRIBED', subscriberIdString, timestamp, wideStatusType, businessUnitId: 0 },
  ]);
}

/** Permanent for the address, and shown on its contact. */
function unsubscribeAll(portal: Portal, email: string): Response {
  const { preferences } = portal;
  const isNew = preferences.optedOutAt(email) === undefined;
  preferences.optOut(email, portal.clock().toISOString());
  const contacts = portal.store(contactType);
  const contact = contacts.find(email, 'email');
  if (isNew && contact?.properties['email'] === email.toLowerCase()) {
    contacts.update(contact.id, { hs_email_optout: 'true' }, portal.source);
  }
  const reason = isNew ? 'UNSUBSCRIBE_FROM_ALL_OCCURRED' : 'NO_STATUS_CHANGE';
  return answer(
    portal,
    preferences.types.map((type) => viewStatus(portal, email, type, reason)),
  );
}

async function setStatus(portal: Portal, version: ApiVersion, request: HonoRequest, email: string): Promise<Response> {
  const { statusState, subscriptionId, legalBasis, legalBasisExplanation } = await readBody(request, statusSchema);
  const { preferences, assumed } = portal;
  const type = preferences.types.find(({ id }) => id === subscriptionId);
  if (!type) throw validationError(`Subscription ${subscriptionId} does not exist.`);
  if (assumed.gdpr && version === 'legacy' && legalBasis === undefined) {
    throw validationError('legalBasis is required in accounts with data privacy settings turned on.');
  }
  const before = preferences.status(email, type.id)?.state ?? 'NOT_SPECIFIED';
  const wasOut = before === 'UNSUBSCRIBED' || preferences.optedOutAt(email) !== undefined;
  if (wasOut && statusState !== 'UNSUBSCRIBED' && assumed.resubscribing === 'refused') {
    throw validationError('The subscriber has unsubscribed and cannot be subscribed again.');
  }
  const at = portal.clock().toISOString();
  const status = { state: statusState, at, source: 'Public API', legalBasis, legalBasisExplanation };
  if (before !== statusState) preferences.setStatus(email, type.id, status);
  const reason = before === 'UNSUBSCRIBED' ? 'RESUBSCRIBE_OCCURRED' : 'REQUESTED_CHANGE_OCCURRED';
  return answer(portal, [viewStatus(portal, email, type, before === statusState ? 'NO_STATUS_CHANGE' : reason)]);
}

function viewStatus(portal: Portal, email: string, { id, name }: SubscriptionType, setStatusSuccessReason?: Reason) {
  const known = portal.preferences.status(email, id);
  return {
    channel: 'EMAIL',
    subscriberIdString: email,
    subscriptionId: id,
    subscriptionName: name,
    status: known?.state ?? 'NOT_SPECIFIED',
    source: known?.source ?? 'No status set',
    timestamp: known?.at ?? portal.clock().toISOString(),
    legalBasis: known?.legalBasis,
    legalBasisExplanation: known?.legalBasisExplanation,
    setStatusSuccessReason,
    businessUnitId: 0,
  };
}

function answer(portal: Portal, results: readonly object[]): Response {
  const now = portal.clock().toISOString();
  return answerBatch(200, results, [], now, now);
}
