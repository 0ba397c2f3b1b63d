/** The HTTP application of the sandbox service: every operation of the contract bound to its route, and the files. */
import { Hono } from 'hono';
import { closedRoutes, operations } from '../../src/service/contract/index.ts';
import type { Drift } from './answer-drift.ts';
import type { Tampering } from '../results/result-tampering.ts';
import { answerOnce } from './idempotency.ts';
import { refuse, Refusal, refuseKey, refuseMethod, refuseScopes, refuseUnknown } from '../service-refusal.ts';
import { checkRequest, type UnknownFields } from './request-validation.ts';
import { createResponder } from './verified-responses.ts';
import { type ResultSettings, createOrderRoutes, type OrderNotifier, createResultRoutes } from './order-routes.ts';
import type { Operation, Route, CreationContext } from './operation-route.ts';
import type { Organization } from '../state/organization.ts';
import type { Caller } from '../state/stored-records.ts';
import { assignmentRoutes, blacklistRoutes, entryRoutes } from './blacklist-routes.ts';
import { createDeliveryRoutes } from './delivered-company-routes.ts';
import { createDownloadRoutes, type DownloadDependencies } from './file-downloads.ts';
import { createOutputRoutes } from './output-routes.ts';
import { createProfileRoutes } from './profile-routes.ts';
import type { ProgressionSettings } from './progression-settings.ts';
import type { Publications } from '../results/publications.ts';
import type { Store } from '../state/sandbox-store.ts';

interface Environment {
  /** The caller; null without a valid key. */
  Bindings: { caller: Caller | null };
  Variables: { key: Caller; organization: Organization; operation: Operation };
}

interface AppDependencies extends ResultSettings {
  readonly now: () => number;
  readonly routes: readonly Route[];
  readonly strict: boolean;
  readonly unknown_request_fields: UnknownFields;
  /** A86 */
  readonly replayed_creation: 'first' | 'current';
  /** A88 */
  readonly wrong_method: 404 | 405;
  readonly organizationOf: (key: Caller) => Organization;
  /** Publishes the orders of an organisation that are due. */
  readonly publishDue: (organization: Organization, now: number) => void;
  /** Rolls back when `work` throws. */
  readonly transaction: <T>(work: () => T) => T;
  /** Serves an address under /files. */
  readonly serveFile: (token: string) => Promise<Response>;
  /** The drift of answers to an organisation. */
  readonly driftOf: (organization: Organization) => Drift;
  /** The changes of an order's published results. */
  readonly tamperingOf: (orderId: string) => readonly Tampering[];
  readonly newRequestId: () => string;
}

export function createServiceApp(dependencies: AppDependencies): Hono<Environment> {
  const respond = createResponder(dependencies);
  const routes = new Map(dependencies.routes.map((route) => [route.operation, route]));
  const app = new Hono<Environment>();

  app.use('/api/v1/*', async (context, next) => {
    const { caller: key } = context.env;
    if (!key) throw refuseKey(dependencies.newRequestId());
    context.set('key', key);
    context.set('organization', dependencies.organizationOf(key));
    await next();
  });

  for (const path of closedRoutes) {
    const close = () => {
      throw refuse('API_KEY_ROUTE_FORBIDDEN', 'This route is closed to API keys.');
    };
    app.all(path, close).all(`${path}/*`, close);
  }

  for (const [operationId, operation] of Object.entries(operations)) {
    app.on(operation.method.toUpperCase(), routePathOf(operation), async (context) => {
      context.set('operation', operation);
      const { key, organization } = context.var;
      if (!operation.scopes.every((scope) => key.scopes.includes(scope))) {
        throw refuseScopes(operation.scopes, key.scopes);
      }
      const route = routes.get(operation);
      if (!route) throw new TypeError(`operation ${operationId} has no route`);
      const checked = await checkRequest(operation, context.req.raw, {
        pathValues: context.req.param(),
        unknownFields: dependencies.unknown_request_fields,
      });
      const callAt = (now: number) => {
        dependencies.transaction(() => dependencies.publishDue(organization, now));
        return { ...checked, organization, key, now };
      };
      if (route.prepare) await route.prepare(callAt(dependencies.now()));
      // Nothing is awaited from here on: a request is executed before the next one starts.
      const call = callAt(dependencies.now());
      // Outputs have their own rules for keys (`claimOutput`).
      const idempotencyKey = operation.idempotency === 'replay' ? null : checked.idempotencyKey;
      const keyed = { organization, operationId, key: idempotencyKey, sent: checked.sent };
      const execute = () => route.handle(call);
      const replay = dependencies.replayed_creation === 'current' ? route.current : undefined;
      return respond(
        operation,
        dependencies.transaction(() => answerOnce(keyed, execute, (answer) => replay?.(call, answer) ?? answer)),
        {
          drift: dependencies.driftOf(organization),
          tampering: dependencies.tamperingOf(context.req.param('order_id') ?? ''),
        },
      );
    });
  }

  for (const [path, methods] of methodsByPath()) {
    app.all(path, (context) => {
      throw dependencies.wrong_method === 405
        ? refuseMethod(methods)
        : refuseUnknown('ROUTE_NOT_FOUND', context.req.path);
    });
  }

  app.get('/files/:token/:name', (context) => dependencies.serveFile(context.req.param('token')));

  app.notFound((context) => respond(null, refuseUnknown('ROUTE_NOT_FOUND', context.req.path)));
  app.onError((error, context) => respond(context.get('operation') ?? null, toRefusal(error)));
  return app;
}

function routePathOf({ path }: Operation): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** A GET route also answers HEAD. */
function methodsByPath(): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const operation of Object.values(operations)) {
    const method = operation.method.toUpperCase();
    const path = routePathOf(operation);
    byPath.set(path, [...(byPath.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  }
  return byPath;
}

function toRefusal(error: Error): Refusal {
  if (error instanceof Refusal) return error;
  return refuse('INTERNAL_ERROR', `The sandbox failed: ${error.name}: ${error.message}`);
}

interface RouteDependencies {
  readonly assumed: ResultSettings;
  readonly progressions: ProgressionSettings;
  readonly publications: Publications;
  /** With the changes of published results. */
  readonly publishedSet: Publications['publishedSet'];
  readonly files: DownloadDependencies;
  readonly store: Pick<Store, 'transaction'>;
  readonly notifier: OrderNotifier;
}

export function createRoutes({
  assumed,
  progressions,
  publications,
  publishedSet,
  files,
  store,
  notifier,
}: RouteDependencies): Route[] {
  const progressionFor = (resource: 'profiles' | 'orders') => {
    return ({ organization, key }: CreationContext) =>
      key.progression ?? progressions.forOrganization(organization.id)[resource];
  };
  const { products } = files;
  return [
    ...blacklistRoutes,
    ...entryRoutes,
    ...assignmentRoutes,
    ...createProfileRoutes(progressionFor('profiles')),
    ...createOrderRoutes({ progressionOf: progressionFor('orders'), publications, notifier }),
    ...createResultRoutes(assumed, { publishedSet }),
    ...createOutputRoutes({
      ...assumed,
      progressionOf: ({ id }) => progressions.forOrganization(id).outputs,
      products,
    }),
    ...createDownloadRoutes(files),
    ...createDeliveryRoutes({ deliveredSet: publications.deliveredSet, transaction: store.transaction }),
  ];
}
