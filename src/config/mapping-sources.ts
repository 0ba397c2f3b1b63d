/** Whether a mapping can read a field of the result, alone or in a text. */
import type { ObjectType } from '../hubspot/hubspot-record.ts';
import { isRawPath, sourcePaths, toRecordProperty } from '../delivery/mapping/source-paths.ts';
import type { Placeholder } from '../delivery/mapping/templates.ts';
import { transformNames, transforms, type SourceKind } from '../delivery/mapping/transforms.ts';
import { isHeaderName, sourceFields } from '../base/spreadsheet/header-names.ts';
import { policies } from '../delivery/mapping/crm-plan.ts';
import { toPrintableKey } from '../base/text/printable-text.ts';
import { suggestions } from '../base/text/suggestions.ts';

interface SourceProblem {
  readonly concerns: 'field' | 'transform';
  readonly rule: string;
  readonly remedy: string | (() => string);
}

export function findSourceProblem(object: ObjectType, { from, transform }: Placeholder): SourceProblem | null {
  // A field outside the specification may have any type.
  if (isRawPath(from) && !(object === 'companies' && from.startsWith('raw.prospect.'))) return null;
  const problem = (rule: string, remedy: SourceProblem['remedy']): SourceProblem => ({
    concerns: 'field',
    rule,
    remedy,
  });
  if (from.startsWith('company_record.') && object === 'companies')
    return problem('is for contacts only', "It reads the HubSpot record of the contact's company");
  const kind = toRecordProperty(from) === null ? sourcePaths.get(from) : 'text';
  if (object === 'companies' && /^(?:raw\.)?prospect\./.test(from))
    return problem(
      'a company has many prospects, not one',
      'For their number, use company.prospects with transform count',
    );
  if (kind === undefined)
    return problem(`there is no field "${toPrintableKey(from)}"`, () => similarPaths(from, object));
  if (transform === null)
    return isList(kind) ? problem(`is ${kinds[kind]} and needs a transform`, transformsFor(kind)) : null;
  if (transforms[transform].takes.includes(kind)) return null;
  const rule = `${transform} does not accept ${kinds[kind]}: ${from} is one`;
  return { concerns: 'transform', rule, remedy: transformsFor(kind) };
}

function isList(kind: SourceKind): boolean {
  return kind === 'list' || kind === 'records';
}

const kinds: Readonly<Record<SourceKind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'a yes or no',
  list: 'a list',
  records: 'a list of records',
};

function transformsFor(kind: SourceKind): string {
  const names = transformNames.filter((name) => transforms[name].takes.includes(kind));
  if (names.length === 0) return 'Remove transform: this field takes none';
  const fields = kind === 'records' ? '; or name a field of the records' : isList(kind) ? '' : ', or none';
  return `Transforms for ${kinds[kind]}: ${names.join(', ')}${fields}`;
}

function similarPaths(from: string, object: ObjectType): string {
  if (policies.some((policy) => policy === from)) return `To set the policy, write {policy: ${from}}`;
  const known = [...sourcePaths.keys()].filter((path) => object === 'contacts' || !path.startsWith('prospect.'));
  const found = known.filter((path) => path.endsWith(`.${from}`));
  const synonymous = found.length > 0 ? found : findSynonyms(from, known);
  const suggested = synonymous.length > 0 ? synonymous : suggestions(from, known);
  if (suggested.length > 0) return `Did you mean ${suggested.join(' or ')}?`;
  const fields = known.filter((path) => path.startsWith(`${from.split('.')[0]}.`));
  if (fields.length > 0) return `Known there: ${fields.join(', ')}`;
  return `A path begins with ${object === 'contacts' ? 'slot, order, company, company_record, prospect or raw' : 'slot, order, company or raw'}`;
}

/** Fields of a company that a column of a file with this name would have: `company.town`. */
function findSynonyms(from: string, known: readonly string[]): string[] {
  const [last = from, ...roots] = from.split('.').toReversed();
  if (roots.length > 1 || (roots[0] ?? 'company') !== 'company') return [];
  const fields = sourceFields.filter((field) => isHeaderName(field, last));
  const names = known.filter((path) => path.startsWith('company.')).map((path) => path.replace('company.', ''));
  const meant = names.filter((name) => fields.some((field) => isHeaderName(field, name)));
  // What has the very name of the field comes first.
  const rank = (name: string) => (fields.some((field) => field === name) ? 0 : 1);
  return meant.sort((left, right) => rank(left) - rank(right)).map((name) => `company.${name}`);
}
