/** The HTTP side of the stand-in: every operation of the contract bound to its route, or answered as not built yet. */
import { Hono } from 'hono';
import { closedRoutes, operations } from '../../contract/index.ts';
import { answerOnce } from './idempotency.ts';
import { refuse, Refusal, refuseKey, refuseScopes, refuseUnknown } from './refusal.ts';
import { checkRequest, type UnknownFields } from './request-checks.ts';
import { createResponder } from './responses.ts';
import type { ResultSettings } from './results.ts';
import type { Operation, Route } from './route.ts';
import type { Organization } from './store/organization.ts';
import type { StoredKey } from './store/records.ts';

interface Environment {
  Variables: { key: StoredKey; organization: Organization; operation: Operation };
}

interface AppParts extends ResultSettings {
  readonly now: () => number;
  readonly routes: readonly Route[];
  readonly strict: boolean;
  readonly unknown_request_fields: UnknownFields;
  readonly keyOf: (request: Request) => StoredKey | null;
  readonly organizationOf: (key: StoredKey) => Organization;
  /** Brings about what became due for an organisation up to a moment. */
  readonly settle: (organization: Organization, now: number) => void;
  /** All of `work` or, when it throws, nothing of it. */
  readonly transaction: <T>(work: () => T) => T;
  readonly newRequestId: () => string;
}

export function createApp(parts: AppParts): Hono<Environment> {
  const respond = createResponder(parts);
  const handlers = new Map(parts.routes.map(({ operation, handle }) => [operation, handle]));
  const app = new Hono<Environment>();

  app.use('/api/v1/*', async (context, next) => {
    const key = parts.keyOf(context.req.raw);
    if (!key) throw refuseKey(parts.newRequestId());
    context.set('key', key);
    context.set('organization', parts.organizationOf(key));
    await next();
  });

  for (const path of closedRoutes) {
    const close = () => {
      throw refuse('API_KEY_ROUTE_FORBIDDEN', 'This route is closed to API keys.');
    };
    app.all(path, close).all(`${path}/*`, close);
  }

  for (const [operationId, operation] of Object.entries(operations)) {
    app.on(operation.method.toUpperCase(), operation.path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      context.set('operation', operation);
      const { key, organization } = context.var;
      if (!operation.scopes.every((scope) => key.scopes.includes(scope))) {
        throw refuseScopes(operation.scopes, key.scopes);
      }
      const handle = handlers.get(operation);
      if (!handle) throw refuseUnbuilt(operationId);
      const checked = await checkRequest(operation, context.req.raw, {
        pathValues: context.req.param(),
        unknownFields: parts.unknown_request_fields,
      });
      // From here on nothing waits: a request is carried out whole before the next one begins.
      const now = parts.now();
      parts.transaction(() => parts.settle(organization, now));
      const keyed = { organization, operationId, key: checked.idempotencyKey, sent: checked.sent };
      const carryOut = () => handle({ ...checked, organization, key, now });
      return respond(
        operation,
        parts.transaction(() => answerOnce(keyed, carryOut)),
      );
    });
  }

  app.notFound((context) => respond(null, refuseUnknown('ROUTE_NOT_FOUND', context.req.path)));
  app.onError((error, context) => respond(context.get('operation') ?? null, toRefusal(error)));
  return app;
}

function refuseUnbuilt(operationId: string): Refusal {
  return new Refusal(501, { code: 'SANDBOX_NOT_BUILT', message: `The stand-in does not answer ${operationId} yet.` });
}

function toRefusal(error: Error): Refusal {
  if (error instanceof Refusal) return error;
  return refuse('INTERNAL_ERROR', `The stand-in failed: ${error.name}: ${error.message}`);
}
