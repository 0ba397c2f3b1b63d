import type { MiddlewareHandler } from 'hono';
import { ApiError } from './api-error.ts';
import type { Refused } from './limits/rate-limits.ts';
import type { Portal } from './portal/portal.ts';
import { versionOf, type ApiVersion } from './api-versions.ts';

/** The portal and the scopes of a token. */
export interface TokenAccess {
  readonly key: string;
  readonly portal: Portal;
  readonly scopes: ReadonlySet<string>;
}

export interface MiddlewareOptions {
  readonly accessOf: (request: Request) => TokenAccess | undefined;
  readonly newCorrelationId: () => string;
}

/** Checks the token, the rate limits and the API version of every request. */
export function requestMiddleware({
  accessOf,
  newCorrelationId,
}: MiddlewareOptions): MiddlewareHandler<SandboxEnvironment> {
  return async (c, next) => {
    const grant = accessOf(c.req.raw);
    if (!grant) throw unauthenticated();
    const { key, portal, scopes } = grant;
    const call = { key, path: c.req.path };
    const version = versionOf(call.path);
    const refused = portal.limits.check(call);
    if (refused) c.res = rateLimitExceeded(refused, portal, newCorrelationId);
    else if (version === undefined) c.res = await c.notFound();
    else {
      c.set('portal', portal.forVersion(version));
      c.set('version', version);
      c.set('scopes', scopes);
      await next();
      if (version === '2026-09' && c.res.status === 207) c.res = withPartialFailureStatus(portal, c.res);
    }
    portal.limits.setHeaders(call, c.res.headers);
  };
}

function rateLimitExceeded({ policy, waitMs }: Refused, { assumed }: Portal, newCorrelationId: () => string): Response {
  const body = {
    status: 'error',
    message: `You have reached your ${policy.toLowerCase()} limit.`,
    errorType: 'RATE_LIMIT',
    correlationId: newCorrelationId(),
    policyName: policy,
    requestId: newCorrelationId(),
  };
  const headers = assumed.rateLimitRetryAfter ? { 'retry-after': String(Math.ceil(waitMs / 1_000)) } : {};
  return Response.json(body, { status: 429, headers });
}

/** Every version reports failed rows in the same body; only the status differs. */
function withPartialFailureStatus({ assumed }: Portal, { body, headers }: Response): Response {
  return new Response(body, { status: assumed.partialFailureStatus, headers });
}

function unauthenticated(): ApiError {
  return new ApiError(401, {
    message:
      'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
    category: 'INVALID_AUTHENTICATION',
  });
}

/** The variables of `c.var` after authentication. */
export interface SandboxEnvironment {
  Variables: {
    /** The portal in the API version of the path. */
    portal: Portal;
    version: ApiVersion;
    scopes: ReadonlySet<string>;
  };
}
