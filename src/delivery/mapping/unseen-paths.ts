/** Paths below `raw` that a mapping or a column reads, and no result had: mostly misspelt. */
import { otherWords } from '../../base/text/bound-text.ts';
import { closestMatch } from '../../base/text/suggestions.ts';
import type { OrderShape } from '../../service/reading/shape.ts';
import { sourcePaths } from './source-paths.ts';

/** @returns `raw.company.turnovr. Did you mean raw.company.turnover?` */
export function findUnseenPaths(paths: Iterable<string>, { shape, unread }: OrderShape): string[] {
  // Beyond a number of names, further ones are only counted.
  if (Object.hasOwn(unread, otherWords)) return [];
  const people = `${shape.company.prospects?.path ?? ''}[].`;
  const seen = [
    ...Object.keys(unread).map((name) => (name.startsWith(people) ? `prospect.${name.slice(people.length)}` : name)),
    ...toNames('company', shape.company),
    ...toNames('prospect', shape.prospect),
    ...sourcePaths.keys(),
  ];
  return [...new Set(paths)].flatMap((path) => {
    const [raw, record = '', name = '', ...rest] = path.split('.');
    const field = `${record}.${name}`;
    if (raw !== 'raw' || !['company', 'prospect'].includes(record) || seen.includes(field)) return [];
    const meant = closestMatch(field, seen);
    return [meant === null ? path : `${path}. Did you mean ${['raw', meant, ...rest].join('.')}?`];
  });
}

/** The service may give a specified field another name. */
function toNames(record: string, fields: OrderShape['shape']['company' | 'prospect']): string[] {
  return Object.values(fields).flatMap(({ path }) => (path === null ? [] : [`${record}.${path.split('.')[0] ?? ''}`]));
}
