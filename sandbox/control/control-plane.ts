/** The control plane of the sandbox. It has its own port and is not part of the interface of the service or of HubSpot. */
import { Hono } from 'hono';
import { z } from 'zod';
import { describeViolation, violations } from '../../src/service/contract/index.ts';
import type { Clock } from '../clock.ts';
import { UnknownPortalError, type HubSpotSandbox } from '../hubspot/hubspot-sandbox.ts';
import { Refusal } from '../service-refusal.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import { healthRoutes } from './control-health.ts';
import { actionRoutes } from './control-actions.ts';
import { addressRoutes } from './control-addresses.ts';
import { deliveryRoutes } from './control-deliveries.ts';
import { faultRoutes } from './control-faults.ts';
import { journalRoutes } from './control-journal.ts';
import { toControlOpenApi } from './control-operations.ts';
import { organizationRoutes } from './control-organizations.ts';
import { portalRoutes } from './control-portals.ts';
import { progressRoutes } from './control-progress.ts';
import { recordRoutes } from './control-records.ts';
import { successOf, type ControlRoute } from './control-operation.ts';
import { sheetRoutes } from './control-sheets.ts';
import { stateRoutes } from './control-state.ts';
import { tamperingRoutes } from './control-tampering.ts';
import { clockRoutes } from './control-clock.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';

export interface ControlPlane {
  readonly fetch: Fetch;
}

interface ControlledSandbox {
  readonly service: ServiceSandbox;
  readonly hubspot: HubSpotSandbox;
  readonly clock: Clock;
}

/** Serves the operations of control-operations.ts, and `GET /openapi.json`. Errors are `{code, message}`. */
export function createControlPlane({ service, hubspot, clock }: ControlledSandbox): ControlPlane {
  const app = new Hono();
  const routes: ControlRoute[] = [
    ...healthRoutes(service),
    ...organizationRoutes(service),
    ...portalRoutes(hubspot),
    ...recordRoutes(hubspot),
    ...progressRoutes(service),
    ...tamperingRoutes(service),
    ...clockRoutes(clock),
    ...faultRoutes(service, hubspot),
    ...journalRoutes(service, hubspot),
    ...stateRoutes(service, hubspot),
    ...addressRoutes(service),
    ...actionRoutes(service),
    ...deliveryRoutes(service),
    ...sheetRoutes(service),
  ];
  // A web page could call it through DNS rebinding, so foreign origins and host names are refused.
  app.use('*', async (context, next) => {
    if (context.req.header('origin') !== undefined || !isThisMachine(context.req.url)) {
      throw new Refusal(403, {
        code: 'FOREIGN_CALLER',
        message: 'Call the control plane at 127.0.0.1, and not from a web page.',
      });
    }
    await next();
  });
  for (const { operation, handle } of routes) {
    app.on(operation.method.toUpperCase(), operation.path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      const { searchParams } = new URL(context.req.url);
      const { signal } = context.req.raw;
      const params = check(operation.params, context.req.param());
      const query = check(operation.query ?? noQuery, Object.fromEntries(searchParams));
      const body = operation.body && check(operation.body, parseJson(await context.req.text()));
      return toResponse(successOf(operation), await handle({ params, query, body: body ?? undefined, signal }));
    });
  }
  app.get('/openapi.json', () => toResponse(200, toControlOpenApi()));
  app.notFound(() => toErrorResponse(404, 'ROUTE_NOT_FOUND', 'No such route of the control plane; see /openapi.json.'));
  app.onError((error) => {
    if (error instanceof UnknownPortalError) return toErrorResponse(404, 'PORTAL_NOT_FOUND', 'No such portal.');
    if (error instanceof Refusal) return toResponse(error.status, error.body);
    return toErrorResponse(500, 'INTERNAL_ERROR', `${error.name}: ${error.message}`);
  });
  return { fetch: async (request) => app.fetch(request) };
}

function isThisMachine(url: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname);
}

const noQuery = z.strictObject({});

function check(schema: z.ZodType | null, sent: unknown): unknown {
  if (schema === null) return undefined;
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const problems = violations(schema, sent).map(describeViolation);
  throw new Refusal(422, { code: 'INVALID_REQUEST', message: 'The request is invalid.', problems });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, { code: 'INVALID_REQUEST', message: 'The body is not valid JSON.' });
  }
}

function toErrorResponse(status: number, code: string, message: string): Response {
  return toResponse(status, { code, message });
}

function toResponse(status: number, body: unknown): Response {
  return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
}
