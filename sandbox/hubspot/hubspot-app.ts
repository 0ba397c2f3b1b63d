import { Hono } from 'hono';
import { accountInfoRoutes, limitRoutes, ownerRoutes } from './routes/account-routes.ts';
import {
  associationRoutes,
  legacyAssociationRoutes,
  legacyRecordAssociationRoutes,
  recordAssociationRoutes,
} from './associations/association-routes.ts';
import { communicationRoutes } from './routes/communication-routes.ts';
import { type SandboxEnvironment, requestMiddleware, type MiddlewareOptions } from './request-middleware.ts';
import { ApiError, notImplemented } from './api-error.ts';
import { objectRoutes } from './objects/object-routes.ts';
import { listRoutes } from './lists/list-routes.ts';
import { pipelineRoutes } from './routes/pipeline-routes.ts';
import { propertyRoutes } from './properties/property-routes.ts';
import { searchRoutes } from './search/search-routes.ts';
import { schemaRoutes } from './routes/schema-routes.ts';
import { datedVersions, versionOf } from './api-versions.ts';

// First path segments that HubSpot's API has. Other paths get HubSpot's 404.
const knownAreas =
  /^\/(crm|crm-object-schemas|account-info|oauth|communication-preferences|communication_preferences|webhooks|automation|marketing|events|files|settings|conversations|cms|engagements|contacts|companies|deals|owners|properties|email)(\/|$)/;

/** Each family has a legacy path and usually one path for each dated version: `/crm/v3/objects`, `/crm/objects/2026-09`. */
const families: readonly { legacy: string; dated?: string; routes: () => Hono<SandboxEnvironment> }[] = [
  { legacy: '/crm/v3/objects', dated: '/crm/objects', routes: searchRoutes },
  { legacy: '/crm/v3/objects', dated: '/crm/objects', routes: objectRoutes },
  { legacy: '/crm/v4/objects', dated: '/crm/objects', routes: recordAssociationRoutes },
  { legacy: '/crm/v3/objects', routes: legacyRecordAssociationRoutes },
  { legacy: '/crm/v3/associations', routes: legacyAssociationRoutes },
  { legacy: '/crm/v4/associations', dated: '/crm/associations', routes: associationRoutes },
  { legacy: '/crm/v3/properties', dated: '/crm/properties', routes: propertyRoutes },
  { legacy: '/crm-object-schemas/v3', dated: '/crm-object-schemas', routes: schemaRoutes },
  { legacy: '/crm/v3', routes: schemaRoutes },
  { legacy: '/crm/v3/lists', dated: '/crm/lists', routes: listRoutes },
  { legacy: '/crm/v3/owners', dated: '/crm/owners', routes: ownerRoutes },
  { legacy: '/communication-preferences/v4', dated: '/communication-preferences', routes: communicationRoutes },
  { legacy: '/crm/v3/pipelines', dated: '/crm/pipelines', routes: pipelineRoutes },
  { legacy: '/crm/v3/limits', dated: '/crm/limits', routes: limitRoutes },
  { legacy: '/account-info/v3', dated: '/account-info', routes: accountInfoRoutes },
];

/** HubSpot's API, on its legacy and its dated paths. */
export function createHubSpotApp({ accessOf, newCorrelationId }: MiddlewareOptions): Hono<SandboxEnvironment> {
  // The SDK ends some paths with a slash.
  const app = new Hono<SandboxEnvironment>({ strict: false });
  app.use(requestMiddleware({ accessOf, newCorrelationId }));
  for (const { legacy, dated, routes } of families) {
    app.route(legacy, routes());
    if (dated === undefined) continue;
    for (const date of datedVersions) app.route(`${dated}/${date}`, routes());
  }

  app.notFound((c) => {
    if (versionOf(c.req.path) !== undefined && knownAreas.test(c.req.path))
      return toErrorResponse(notImplemented(`${c.req.method} ${c.req.path}`), newCorrelationId());
    return Response.json(
      { status: 'error', message: 'resource not found', correlationId: newCorrelationId() },
      { status: 404 },
    );
  });
  app.onError((error) =>
    toErrorResponse(error instanceof ApiError ? error : unexpectedError(error), newCorrelationId()),
  );
  return app;
}

function toErrorResponse({ status, body }: ApiError, correlationId: string): Response {
  const { message, context, ...rest } = body;
  return Response.json({ status: 'error', message, correlationId, ...(context && { context }), ...rest }, { status });
}

// Marks an error of the sandbox itself, so that it does not look like an answer of HubSpot.
function unexpectedError(error: Error): ApiError {
  return new ApiError(500, {
    message: `The sandbox failed: ${error.stack ?? error.message}`,
    category: 'SANDBOX_FAILURE',
  });
}
