/** Fields of companies and prospects that no field of this program reads: `company.turnover`, `company.prospects[].seniority`. */
import { isFieldName, isRecord } from './flatten-record.ts';
import { pathInCompany, prospectsAt } from './detect-prospects.ts';
import type { Shape } from './shape.ts';

/** The names for one slot; of nested fields only the outermost. They can be mapped as `raw.…`. */
export function createUnreadReader(shape: Shape): (slot: unknown) => Set<string> {
  const peoplePath = shape.company.prospects?.path ?? null;
  const inCompany = pathInCompany(peoplePath);
  const company = keysOf([
    ...pathsOf(shape.company).filter((path) => path !== peoplePath),
    ...(inCompany === null ? [] : [inCompany]),
  ]);
  const prospect = keysOf(pathsOf(shape.prospect));
  const people = peoplePath === null ? '' : `${peoplePath}[]`;
  return (slot) => {
    const names = new Set<string>();
    if (!isRecord(slot)) return names;
    if (isRecord(slot['company']))
      for (const key of Object.keys(slot['company']))
        if (!company.has(key) && isFieldName(key)) names.add(`company.${key}`);
    for (const person of prospectsAt(slot, peoplePath)) {
      for (const key of Object.keys(person)) if (!prospect.has(key) && isFieldName(key)) names.add(`${people}.${key}`);
    }
    return names;
  };
}

function pathsOf(readings: Shape['company'] | Shape['prospect']): string[] {
  return Object.values(readings).flatMap(({ path }) => path ?? []);
}

function keysOf(paths: readonly string[]): Set<string> {
  return new Set(paths.map((path) => path.split(/[.[]/, 1)[0] ?? path));
}
