import { Hono } from 'hono';
import { accountInfoRoutes } from './account-info.ts';
import { associationRoutes, recordAssociationRoutes } from './associations/association-routes.ts';
import type { SandboxEnvironment } from './environment.ts';
import { ApiFailure, notBuilt } from './failures.ts';
import { objectRoutes } from './objects/object-routes.ts';
import type { Portal } from './portal.ts';
import { propertyRoutes } from './properties/property-routes.ts';

// Areas of HubSpot's API that exist. Paths elsewhere do not, and get HubSpot's 404.
const knownAreas =
  /^\/(crm|crm-object-schemas|account-info|oauth|communication-preferences|communication_preferences|webhooks|automation|marketing|events|files|settings|conversations|cms|engagements|contacts|companies|deals|owners|properties|email)(\/|$)/;

/** The key that a request carries, and what it opens. */
export interface Grant {
  readonly portal: Portal;
  readonly scopes: ReadonlySet<string>;
}

export interface AppOptions {
  readonly grantOf: (request: Request) => Grant | undefined;
  readonly newCorrelationId: () => string;
}

/** HubSpot's API, on its legacy paths: the ones that the SDK speaks. */
export function createApp({ grantOf, newCorrelationId }: AppOptions): Hono<SandboxEnvironment> {
  const app = new Hono<SandboxEnvironment>();
  app.use(async (c, next) => {
    const grant = grantOf(c.req.raw);
    if (!grant) throw unauthenticated();
    c.set('portal', grant.portal);
    c.set('scopes', grant.scopes);
    await next();
  });
  app.route('/crm/v3/objects', objectRoutes());
  app.route('/crm/v3/properties', propertyRoutes());
  app.route('/crm/v4/associations', associationRoutes());
  app.route('/crm/v4/objects', recordAssociationRoutes());
  app.route('/account-info/v3', accountInfoRoutes());

  app.notFound((c) => {
    if (knownAreas.test(c.req.path)) return refusal(notBuilt(`${c.req.method} ${c.req.path}`), newCorrelationId());
    return Response.json(
      { status: 'error', message: 'resource not found', correlationId: newCorrelationId() },
      { status: 404 },
    );
  });
  app.onError((error) => refusal(error instanceof ApiFailure ? error : crash(error), newCorrelationId()));
  return app;
}

function refusal({ status, body }: ApiFailure, correlationId: string): Response {
  const { message, context, ...rest } = body;
  return Response.json({ status: 'error', message, correlationId, ...(context && { context }), ...rest }, { status });
}

function unauthenticated(): ApiFailure {
  return new ApiFailure(401, {
    message:
      'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
    category: 'INVALID_AUTHENTICATION',
  });
}

// A fault of the stand-in itself must not look like one of HubSpot's.
function crash(error: Error): ApiFailure {
  return new ApiFailure(500, {
    message: `The stand-in failed: ${error.stack ?? error.message}`,
    category: 'SANDBOX_FAILURE',
  });
}
