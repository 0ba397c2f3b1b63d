import { Hono } from 'hono';
import type { SandboxEnvironment } from '../request-environment.ts';
import { labelsOf, objectTypes, type ObjectType } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import { objectScopes, requireScope } from '../scopes.ts';

/** How much of a portal is used up, relative to `/crm/v3/limits` and the like. */
export function limitRoutes(): Hono<SandboxEnvironment> {
  return new Hono<SandboxEnvironment>().get('/custom-properties', (c) => {
    // Seen: a key that may only read schemas is refused.
    requireScope(c.var.scopes, [...new Set(objectTypes.flatMap((type) => objectScopes(type, 'read')))]);
    const byObjectType = objectTypes.map((type) => usageOf(c.var.portal, type));
    const usage = sum(byObjectType.map((type) => type.usage));
    // HubSpot has a limit over all types as well; its figure is not documented, so that it never is the narrower one here.
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
