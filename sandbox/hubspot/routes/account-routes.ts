import { Hono } from 'hono';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { offsetMs, offsetText } from '../limits/time-zone.ts';
import { labelsOf, objectTypes, type ObjectType } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import { objectScopes, requireScope } from '../scopes.ts';
import type { CollectionResponsePublicOwnerForwardPaging } from '@hubspot/api-client/lib/codegen/crm/owners/models/CollectionResponsePublicOwnerForwardPaging.js';
import { validationError, notFound } from '../api-error.ts';
import { queryLimit } from '../request-bodies.ts';
import type { JsonOf } from '../json-model.ts';

/** Account information of the portal, relative to `/account-info/v3` and the like. Needs no scope. */
export function accountInfoRoutes(): Hono<SandboxEnvironment> {
  return new Hono<SandboxEnvironment>().get('/details', (c) => {
    const { id, accountType, settings, clock } = c.var.portal;
    const { timeZone } = settings;
    const now = clock().getTime();
    return c.json({
      portalId: id,
      accountType,
      timeZone,
      companyCurrency: 'EUR',
      additionalCurrencies: [],
      utcOffset: offsetText(now, timeZone),
      utcOffsetMilliseconds: offsetMs(now, timeZone),
      uiDomain: 'app.hubspot.com',
      dataHostingLocation: 'na1',
    });
  });
}

/** Usage and limits of a portal, relative to `/crm/v3/limits` and the like. */
export function limitRoutes(): Hono<SandboxEnvironment> {
  return new Hono<SandboxEnvironment>().get('/custom-properties', (c) => {
    // Observed: HubSpot rejects a token that may only read schemas.
    requireScope(c.var.scopes, [...new Set(objectTypes.flatMap((type) => objectScopes(type, 'read')))]);
    const byObjectType = objectTypes.map((type) => usageOf(c.var.portal, type));
    const usage = sum(byObjectType.map((type) => type.usage));
    // HubSpot also has a limit over all object types, whose figure is not documented; here it is the sum of the limits.
    const limit = sum(byObjectType.map((type) => type.limit));
    return c.json({
      byObjectType,
      overallLimit: limit,
      overallUsage: usage,
      overallPercentage: percentage(usage, limit),
    });
  });
}

function usageOf(portal: Portal, type: ObjectType) {
  const { usage, limit } = portal.store(type).properties.custom();
  const { singular, plural } = labelsOf(type);
  return {
    objectTypeId: type.typeId,
    singularLabel: singular,
    pluralLabel: plural,
    limit,
    usage,
    percentage: percentage(usage, limit),
  };
}

function percentage(usage: number, limit: number): number {
  return Math.round((usage / limit) * 10_000) / 100;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Owners of records, relative to `/crm/v3/owners`. */
export function ownerRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.use((c, next) => {
    requireScope(c.var.scopes, ['crm.objects.owners.read']);
    return next();
  });
  routes.get('/', (c) => {
    const limit = queryLimit(c.req, 100, 500);
    const after = c.req.query('after') || '0';
    if (!/^\d+$/.test(after)) throw validationError(`Invalid value for after: ${after}`);
    const email = c.req.query('email')?.toLowerCase();
    const archived = c.req.query('archived') === 'true';
    const found = c.var.portal.owners.filter(
      (owner) => owner.archived === archived && (email === undefined || owner.email === email),
    );
    const following = found.filter(({ id }) => Number(id) > Number(after));
    const results = following.slice(0, limit);
    const last = results.at(-1)?.id;
    const body: JsonOf<CollectionResponsePublicOwnerForwardPaging> = { results };
    if (last !== undefined && results.length < following.length) body.paging = { next: { after: last } };
    return c.json(body);
  });
  routes.get('/:id', (c) => {
    const id = c.req.param('id');
    const archived = c.req.query('archived') === 'true';
    const key = c.req.query('idProperty') === 'userId' ? 'userId' : 'id';
    const owner = c.var.portal.owners.find((owner) => owner.archived === archived && String(owner[key]) === id);
    if (!owner) throw notFound(`No owner ${id} exists.`, { ownerId: [id] });
    return c.json(owner);
  });
  return routes;
}
