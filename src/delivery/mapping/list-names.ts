/** Names of the HubSpot lists that get the records of an order. */
import { parseTemplate } from './templates.ts';
import type { OrderSource } from './source-paths.ts';

/** A name may contain fields of the order, as `{order.title}`. */
export interface ListNames {
  readonly companies?: string;
  readonly contacts?: string;
}

/** Records that an order added to a HubSpot list, in all its deliveries. */
export interface ListReport {
  readonly object: 'companies' | 'contacts';
  readonly listId: string;
  /** Records that the order has added. */
  readonly added: number;
  /** Records that HubSpot does not have any more. */
  readonly missing: number;
}

const orderFields = { 'order.id': 'id', 'order.run': 'run', 'order.title': 'title' } as const;

/** null: the name can be used. */
export function findListNameProblem(name: string): string | null {
  const template = parseTemplate(name);
  if ('problem' in template) return template.problem;
  for (const part of template.parts) {
    if (typeof part === 'string') continue;
    const { from, transform } = part;
    if (!isOrderField(from)) return `has {${from}}, which is not a field of the order`;
    if (transform !== null) return `has a transform in {${from}|${transform}}, which a list name does not take`;
  }
  const isNamed = template.parts.some((part) =>
    typeof part === 'string' ? part.trim() !== '' : part.from === 'order.id',
  );
  return isNamed ? null : 'needs a text or {order.id}: title and run of an order that was placed elsewhere are empty';
}

/** Characters of a file name beside the fields of the order: with those of temporary files it fits into 255 bytes, also in UTF-8. */
const longestFileName = 60;

/** null: the name can be used for the files of an order. */
export function findFileNameProblem(name: string): string | null {
  const template = parseTemplate(name);
  if ('problem' in template) return template.problem;
  if (!template.parts.some((part) => typeof part !== 'string' && part.from === 'order.id'))
    return 'needs {order.id}, without which a later order would replace the file of an earlier one';
  const problem = findListNameProblem(name);
  if (problem !== null) return problem.replace('a list name', 'a file name');
  const texts = template.parts.filter((part) => typeof part === 'string').join('');
  if (/[\p{Cc}\p{Cf}/\\:*?"<>|]/u.test(texts)) return 'has a sign that names of files cannot have, such as / or :';
  if (/^\s*\./.test(name)) return 'begins with a dot, which hides the file';
  if (/\.(?:csv|xlsx)\s*$/i.test(name)) return 'has an ending, which is added to it';
  return texts.length > longestFileName
    ? `has ${texts.length} characters beside its fields; the most are ${longestFileName}`
    : null;
}

/** The name of a file of the order, without its ending; the id alone where a field is empty or too long. Signs of fields that file systems refuse become hyphens. */
export function toOrderFileName(name: string, order: OrderSource): string {
  const signs = Array.from((toListName(name, order) ?? '').replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '-'));
  const isKept = (sign: string) => !'.- '.includes(sign);
  const text = signs.slice(signs.findIndex(isKept), signs.findLastIndex(isKept) + 1).join('');
  // The id is kept whole, since it makes the name unique.
  return text.includes(order.id) && text.length <= 2 * longestFileName + order.id.length ? text : order.id;
}

/**
 * null: a field of the name is empty for this order, and the rest would name another list than the one of the run.
 * @throws RangeError for what `findListNameProblem` reports
 */
export function toListName(name: string, order: OrderSource): string | null {
  const template = parseTemplate(name);
  if ('problem' in template) throw new RangeError('the name of a list was not checked');
  const isEmpty = (part: (typeof template.parts)[number]) =>
    typeof part !== 'string' && isOrderField(part.from) && order[orderFields[part.from]] === '';
  if (template.parts.some(isEmpty)) return null;
  const texts = template.parts.map((part) => {
    if (typeof part === 'string') return part;
    return isOrderField(part.from) ? order[orderFields[part.from]] : '';
  });
  return texts.join('').replaceAll(/\s+/g, ' ').trim();
}

function isOrderField(path: string): path is keyof typeof orderFields {
  return Object.hasOwn(orderFields, path);
}
