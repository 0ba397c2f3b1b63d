/** Mappings that are valid and probably not meant: misspelt paths, exchanged fields, one text for the property that names a record, and policies that overwrite. */
import { getOwnProperty } from '../base/json/own-property.ts';
import { closestMatch } from '../base/text/suggestions.ts';
import type { CrmMapping, FieldMapping } from '../delivery/mapping/crm-plan.ts';
import { defaultMapping, identityProperties } from '../delivery/mapping/default-mapping.ts';
import { pathsOf } from '../delivery/mapping/written-content.ts';
import { isRawPath, slotParts, sourcePaths, toRecordProperty } from '../delivery/mapping/source-paths.ts';
import type { ObjectType } from '../hubspot/hubspot-record.ts';
import type { Config } from './config.ts';

interface MappedProperty {
  readonly object: ObjectType;
  readonly property: string;
  readonly field: FieldMapping;
}

export function warnOfMapping({ mapping, exclusions }: Pick<Config, 'mapping' | 'exclusions'>): string[] {
  return [...warnOfFields(mapping), ...warnOfTexts(mapping), ...warnOfOverwriting(mapping, exclusions)];
}

/** What `always` does to the records that exist already. Other properties may be meant to follow the service. */
const overwriting: Readonly<Record<ObjectType, Readonly<Record<string, string>>>> = {
  companies: {
    name: 'the name that people gave a company is overwritten',
    domain: 'the domain that people gave a company is overwritten, by which HubSpot recognizes it',
    description: 'the description that people gave a company is overwritten',
    about_us: 'the text that people wrote about a company is overwritten',
    lifecyclestage: stageConsequence('companies'),
    hs_lead_status: 'the status that people gave a company is overwritten',
    hubspot_owner_id: 'companies are taken from the owners that people gave them',
  },
  contacts: {
    email: 'the address that people gave a contact is overwritten, by which HubSpot recognizes it',
    firstname: 'the first name that people gave a contact is overwritten',
    lastname: 'the last name that people gave a contact is overwritten',
    lifecyclestage: stageConsequence('contacts'),
    hs_lead_status: 'the status that people and replies gave a contact is overwritten, also that of a refusal',
    hubspot_owner_id: 'contacts are taken from the owners that people gave them',
  },
};

/** HubSpot orders the standard stages only. */
function stageConsequence(object: ObjectType): string {
  return `${object} in another stage, customers too, are set to the one of the mapping, unless HubSpot refuses because theirs is a later standard stage`;
}

function warnOfOverwriting(mapping: Pick<CrmMapping, ObjectType>, exclusions: Config['exclusions']): string[] {
  return (['companies', 'contacts'] as const).flatMap((object) =>
    Object.entries(mapping[object]).flatMap(([property, field]) => {
      const consequence = getOwnProperty(overwriting[object], property);
      if (consequence === undefined || field.policy !== 'always') return [];
      if (findSameForAll({ object, property, field }) !== null) return [];
      const lost = property === 'lifecyclestage' && object === 'companies' ? lostStages(exclusions) : '';
      return [
        `mapping.${object}.${property}.policy is always: ${consequence}${lost}. Write fill-empty, which keeps what the records have, or only-if-ours`,
      ];
    }),
  );
}

function lostStages(exclusions: Config['exclusions']): string {
  return Object.entries(exclusions)
    .filter(([, { source }]) => source.lifecycleStages.length > 0)
    .map(
      ([name, { source }]) => `, and exclusions.${name} (${source.lifecycleStages.join(', ')}) loses those companies`,
    )
    .join('');
}

function warnOfTexts({ companyNotes = {}, companyTasks = {} }: CrmMapping): string[] {
  const settings = { company_notes: companyNotes, company_tasks: companyTasks };
  return Object.entries(settings).flatMap(([setting, texts]) => {
    const problem = findForeignField(Object.values(texts));
    return problem === null ? [] : [`mapping.${setting}${problem}`];
  });
}

function textsOf(field: FieldMapping): readonly string[] {
  if ('from' in field) return [];
  return 'value' in field ? [field.value] : field.roundRobin;
}

/** Fields of other programs: `{{ contact.firstname }}`, whose braces are doubled, `%company%`, `[firstname]`, `<<Name>>`. */
const foreignField =
  /\{\{ ?[\p{L}_.][^{}]{0,60}\}\}|%[a-z][a-z_.]{2,40}%|\[\[?[a-z_. ]{0,40}(?:name|company|email|city|firma|anrede)\]|<<[a-z_. ]{2,40}>>/iu;

function findForeignField(texts: readonly string[]): string | null {
  const [found] = texts.flatMap((text) => foreignField.exec(text)?.[0] ?? []);
  return found === undefined
    ? null
    : ` has ${JSON.stringify(found)}, which is written as a text. A field is written in single braces, such as {company.name}`;
}

function warnOfFields(mapping: Pick<CrmMapping, ObjectType>): string[] {
  return (['companies', 'contacts'] as const).flatMap((object) =>
    Object.entries(mapping[object]).flatMap(([property, field]) => {
      const problems = [
        findPathAsText(field),
        findForeignField(textsOf(field)),
        ...findMisspelt(field),
        findExchanged({ object, property, field }),
      ];
      return [...problems, findSameForAll({ object, property, field })].flatMap((problem) =>
        problem === null ? [] : [`mapping.${object}.${property}${problem}`],
      );
    }),
  );
}

function findPathAsText(field: FieldMapping): string | null {
  const text = 'value' in field ? field.value.trim() : '';
  return sourcePaths.has(text) || isRawPath(text) || toRecordProperty(text) !== null
    ? `.value writes the text ${JSON.stringify(text)}, which looks like a path. To write the field, set from: ${text}`
    : null;
}

function findMisspelt(field: FieldMapping): string[] {
  return pathsOf(field).flatMap((from) => {
    const meant = findRawPath(from);
    return meant === null ? [] : [` reads ${from}, which the specification does not name. Did you mean ${meant}?`];
  });
}

/** The service may send further fields, so only one that resembles a known field is probably misspelt. */
function findRawPath(from: string): string | null {
  const [, part, ...rest] = isRawPath(from) ? from.split('.') : [];
  if (part === undefined || slotParts.includes(part)) return null;
  const meant = closestMatch(part, slotParts);
  return meant === null ? null : ['raw', meant, ...rest].join('.');
}

/** A domain or an email address may be wanted in a second property, if that is for one. */
function findExchanged({ object, property, field }: MappedProperty): string | null {
  if (!('from' in field)) return null;
  const defaults = Object.entries(defaultMapping[object]);
  const own = defaults.find(([name]) => name === property)?.[1].from;
  const [owner] = defaults.find(([, { from }]) => from === field.from) ?? [property];
  if (own !== undefined && owner !== property && owner !== identityProperties[object])
    return ` reads ${field.from}, which belongs to ${owner}. Its own field is ${own}: if they are exchanged, remove the setting`;
  const [kind, meant] = [kindOf(field.from), kindOf(own ?? property)];
  if (kind === null || kind === meant || field.transform !== null) return null;
  if (own !== undefined)
    return ` reads ${field.from}, ${kind}. Its own field is ${own}: if that is not meant, remove the setting`;
  return meant === null ? null : ` reads ${field.from}, ${kind}, and by its name it is for ${meant}. Correct the path`;
}

/** Of a path or a property; null: its name does not say. */
function kindOf(name: string): string | null {
  const [, kind] = kinds.find(([pattern]) => pattern.test(name)) ?? [null, null];
  return kind;
}

const kinds: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/(?:^|[._])e?mail$/, 'an email address'],
  [/(?:^|[._]|mobile)phone$/, 'a telephone number'],
  [/(?:^|[._])(?:url|website|domain|linkedin_company_page)$/, 'a web address'],
  [/(?:^|[._])(?:founded|founding)_?year$|(?:^|[._])(?:year_?founded|gruendungsjahr)$/, 'a year'],
  [/(?:^|[._])(?:employee_?count|number_?of_?employees|employees|mitarbeiterzahl)$/, 'a number of employees'],
  [/(?:^|[._])(?:annual_?)?(?:revenue|turnover|umsatz)$/, 'an amount of money'],
  [/(?:^|[._])(?:[a-z]{1,20}_)?score$/, 'a score'],
  // Below raw, a city or a position may have a name.
  [/^(?!raw\.)(?:.*[._])?(?:(?:full|first|last)_name|company(?:_record)?[._]name|firstname|lastname)$/, 'a name'],
];

/** Properties by which people recognize a record. */
const distinctive: Readonly<Record<ObjectType, readonly string[]>> = {
  companies: ['name', 'website', 'phone', 'linkedin_company_page'],
  contacts: ['firstname', 'lastname', 'phone', 'hs_linkedin_url'],
};

function findSameForAll({ object, property, field }: MappedProperty): string | null {
  if ('from' in field || pathsOf(field).length > 0 || !distinctive[object].includes(property)) return null;
  const overwritten = field.policy === 'always' ? ', and overwrites what the records have (policy: always)' : '';
  const text = 'value' in field ? 'the same text' : 'one of a few texts';
  return ` writes ${text} to all ${object}${overwritten}: people could no longer tell the ${object} apart by ${property}. Without the setting, it gets ${defaultMapping[object][property]?.from}. Remove the setting, or write the text to another property`;
}
