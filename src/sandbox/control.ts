/** The control plane: what only the owner of a stand-in may do. On its own port, never a part of either contract. */
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { describeViolation, orderStatuses, scopes, violations } from '../contract/index.ts';
import type { HubSpotSandbox } from './hubspot/sandbox.ts';
import { Refusal } from './service/refusal.ts';
import type { ServiceSandbox } from './service/sandbox.ts';

export interface ControlPlane {
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Controlled {
  readonly service: ServiceSandbox;
  readonly hubspot: HubSpotSandbox;
}

const namedSchema = z.strictObject({ name: z.string().min(1) });
const keySchema = z.strictObject({
  organization_id: z.guid(),
  scopes: z.array(z.enum(scopes)),
  expires_at: z.iso.datetime({ offset: true }).optional(),
});
const stepSchema = z
  .strictObject({ status: z.enum(orderStatuses), publish: z.boolean().optional() })
  .refine(({ status, publish }) => publish === undefined || status === 'COMPLETED', {
    path: ['publish'],
    message: 'belongs to COMPLETED only',
  });
const faultSchema = z.strictObject({
  method: z.string().exactOptional(),
  path: z.string().startsWith('/'),
  times: z.int().positive(),
  status: z.int().min(200).max(599).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  body: z.json().exactOptional(),
  drop_after_commit: z.literal(true).exactOptional(),
});

/**
 * `POST /organizations`, `POST /keys`, `POST /portals`, `POST /orders/{order_id}`, `POST /faults` (on the service),
 * `POST /reset`, `GET /health`.
 * Refusals are `{code, message}`, with `problems` when the body breaks a rule.
 */
export function createControlPlane({ service, hubspot }: Controlled): ControlPlane {
  const app = new Hono();

  app.get('/health', (context) => context.json({ status: 'ok' }));

  app.post('/organizations', async (context) => {
    const { organizationId, apiKey } = service.createOrganization(await readBody(context, namedSchema));
    return context.json({ organization_id: organizationId, api_key: apiKey }, 201);
  });

  app.post('/keys', async (context) => {
    const { organization_id, scopes, expires_at } = await readBody(context, keySchema);
    const { apiKey } = service.createKey({
      organizationId: organization_id,
      scopes,
      ...(expires_at === undefined ? {} : { expiresAt: new Date(expires_at) }),
    });
    return context.json({ api_key: apiKey }, 201);
  });

  app.post('/portals', async (context) => {
    const { portalId, token } = hubspot.createPortal(await readBody(context, namedSchema));
    return context.json({ portal_id: portalId, token }, 201);
  });

  app.post('/orders/:order_id', async (context) => {
    const step = await readBody(context, stepSchema);
    return context.json(service.stepOrder(context.req.param('order_id'), step));
  });

  app.post('/faults', async (context) => {
    const { drop_after_commit, ...fault } = await readBody(context, faultSchema);
    service.faults.add(drop_after_commit ? { ...fault, commit: true, reset: true } : fault);
    return context.body(null, 204);
  });

  // Organisations, portals and their keys stay valid: what was printed at the start goes on working.
  app.post('/reset', (context) => {
    service.reset();
    hubspot.reset();
    return context.body(null, 204);
  });

  app.notFound(() => toResponse(404, { code: 'ROUTE_NOT_FOUND', message: 'No such route of the control plane.' }));
  app.onError((error) => {
    if (error instanceof Refusal) return toResponse(error.status, error.body);
    return toResponse(500, { code: 'INTERNAL_ERROR', message: `${error.name}: ${error.message}` });
  });
  return { fetch: async (request) => app.fetch(request) };
}

async function readBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const sent = parseJson(await context.req.text());
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const problems = violations(schema, sent).map(describeViolation);
  throw new Refusal(422, { code: 'INVALID_REQUEST', message: 'The request breaks a rule.', problems });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, { code: 'INVALID_REQUEST', message: 'The body is not valid JSON.' });
  }
}

function toResponse(status: number, body: Readonly<Record<string, unknown>>): Response {
  return Response.json(body, { status });
}
