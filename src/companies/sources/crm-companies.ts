/** Reads companies of the CRM: by lifecycle stage, list, missing property, or any search. */
import type { CrmCompanies } from '../../config/enrichment-source-settings.ts';
import { nonRetryable } from '../../base/failures/application-failure.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import { closestMatch } from '../../base/text/suggestions.ts';
import { HubSpotError } from '../../hubspot/hubspot-error.ts';
import type { Property } from '../../hubspot/crm-property.ts';
import { findValueProblem, hintOfOption } from '../../hubspot/filter-values.ts';
import type { CrmRecord } from '../../hubspot/hubspot-record.ts';
import type { FilterGroups } from '../../hubspot/search-filter.ts';
import { exclusionProperties } from './blacklist-entry.ts';
import { emptySource } from './company-source.ts';
import { cleanRecord, type FieldCleaner } from './field-values.ts';

export interface CrmCompanyMapping<Row> {
  /** null for a company without name and domain. */
  readonly fromCrm: (record: CrmRecord) => Row | null;
  /** Cleans and counts the values of the properties. */
  readonly cleaner: FieldCleaner;
  readonly problems: (row: Row) => readonly string[];
}

export interface CrmPage<Row> {
  readonly rows: readonly Row[];
  /** Companies without name and domain, or beyond a limit of the service. */
  readonly unusable: number;
}

/** Each company once; unusable ones are counted and left out. */
export async function* readCrm<Row>(
  hubspot: HubSpotClient,
  selection: CrmCompanies,
  { fromCrm, cleaner, problems }: CrmCompanyMapping<Row>,
  signal: AbortSignal,
): AsyncGenerator<CrmPage<Row>> {
  let isEmpty = true;
  for await (const records of readRecords(hubspot, selection, signal)) {
    isEmpty &&= records.length === 0;
    const rows = records.map((record) => fromCrm(cleanRecord(record, cleaner))).filter((row) => row !== null);
    const usable = rows.filter((row) => problems(row).length === 0);
    yield { rows: usable, unusable: records.length - usable.length };
  }
  if (isEmpty) throw noCompany(selection);
}

async function* readRecords(
  hubspot: HubSpotClient,
  { lifecycleStages, lists, without, filterGroups }: CrmCompanies,
  signal: AbortSignal,
): AsyncGenerator<CrmRecord[]> {
  if (lists !== null) {
    yield* readListMembers(hubspot, lists, signal);
    return;
  }
  // Only the search of HubSpot rejects an unknown property; other endpoints return it as empty.
  if (without !== null) toProperty(await hubspot.properties.list('companies', signal), without);
  if (filterGroups !== null) await assertFilters(hubspot, filterGroups, signal);
  else await assertLifecycleStages(hubspot, lifecycleStages, signal);
  const groups: FilterGroups =
    filterGroups ??
    (without === null
      ? [[{ propertyName: 'lifecyclestage', operator: 'IN', values: lifecycleStages }]]
      : [[{ propertyName: without, operator: 'NOT_HAS_PROPERTY' }]]);
  const search = { filterGroups: groups, properties: exclusionProperties, signal };
  try {
    yield* hubspot.objects.search('companies', search);
  } catch (error) {
    if (filterGroups === null || !(error instanceof HubSpotError) || error.status !== 400) throw error;
    const named = filterGroups
      .flat()
      .map(({ propertyName, operator }) => `${propertyName} ${operator}`)
      .join(', ');
    throw nonRetryable('SearchRefused', `HubSpot rejects companies.hubspot.filter_groups, ${named} (${error.message})`);
  }
}

/** A company that is a member of several lists is read once. */
async function* readListMembers(
  hubspot: HubSpotClient,
  lists: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<CrmRecord[]> {
  const known = new Set<string>();
  for (const list of lists) {
    await assertCompanyList(hubspot, list, signal);
    for await (const members of hubspot.lists.members(list, signal)) {
      const ids = members.filter((id) => !known.has(id));
      for (const id of ids) known.add(id);
      const records = await hubspot.objects.read('companies', { ids, properties: exclusionProperties, signal });
      yield [...records.values()];
    }
  }
}

function noCompany({ lifecycleStages, lists, without, filterGroups }: CrmCompanies) {
  if (lists !== null) return emptySource(`HubSpot list ${lists.join(', ')} has no company`);
  if (without !== null) return emptySource(`no CRM company is without ${without}`);
  return lifecycleStages.length === 0
    ? emptySource(`no CRM company matches companies.hubspot.filter_groups${hintOfCase(filterGroups)}`)
    : noCompanyInStages(lifecycleStages);
}

/** HubSpot finds nothing for an `IN` value with capitals of a text property, and rejects none. */
function hintOfCase(groups: FilterGroups | null): string {
  const values = (groups?.flat() ?? []).flatMap((filter) =>
    'values' in filter && filter.operator === 'IN' ? filter.values : [],
  );
  const capitals = values.filter((value) => value !== value.toLowerCase());
  return capitals.length === 0
    ? ''
    : `; write the values of IN of a text property in lower case: ${capitals.map((value) => value.toLowerCase()).join(', ')}`;
}

/** The stages exist, and no company is in them. */
export function noCompanyInStages(stages: readonly string[]) {
  return emptySource(`no CRM company has the lifecycle stage ${stages.join(', ')} (internal names are case-sensitive)`);
}

/** @throws ApplicationFailure, non-retryable, unless it is a list of companies */
export async function assertCompanyList(hubspot: HubSpotClient, listId: string, signal: AbortSignal): Promise<void> {
  const list = await hubspot.lists.get(listId, signal);
  if (list?.objects === 'companies') return;
  const problem =
    list === undefined ? 'does not exist' : `is a list of ${list.objects}, and a list of companies is needed`;
  throw nonRetryable('ListRefused', `HubSpot list ${listId} ${problem}: nothing was changed or ordered`);
}

/**
 * A misspelt stage among right ones would only make the source smaller. Needs the scope crm.schemas.companies.read.
 * @throws ApplicationFailure, non-retryable, for a stage that the portal does not have
 */
export async function assertLifecycleStages(
  hubspot: HubSpotClient,
  stages: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (stages.length === 0) return;
  const options = (await hubspot.properties.list('companies', signal)).get('lifecyclestage')?.options ?? [];
  const unknown = stages.find((stage) => !options.some(({ value }) => value === stage));
  if (unknown === undefined) return;
  throw nonRetryable(
    'StageUnknown',
    `HubSpot has no lifecycle stage ${JSON.stringify(unknown)}: nothing was changed or ordered.${hintOfOption(unknown, options)}`,
  );
}

/** A text property is never `true`, so that it would exclude nothing. */
export async function assertYesNoProperty(
  hubspot: HubSpotClient,
  property: string,
  signal: AbortSignal,
): Promise<void> {
  const { type, options = [] } = toProperty(await hubspot.properties.list('companies', signal), property);
  if (type === 'bool' || options.some(({ value }) => value === 'true')) return;
  throw nonRetryable('PropertyRefused', `${property} is a company property of type ${type}, and not a yes/no property`);
}

/** A value that the property cannot have makes the selection smaller, or with NEQ and NOT_IN larger; HubSpot rejects none. */
async function assertFilters(hubspot: HubSpotClient, groups: FilterGroups, signal: AbortSignal): Promise<void> {
  const properties = await hubspot.properties.list('companies', signal);
  const problems = groups.flatMap((filters, group) =>
    filters.flatMap((filter, index) => {
      const problem = findValueProblem(toProperty(properties, filter.propertyName), filter);
      return problem === null ? [] : [`companies.hubspot.filter_groups[${group}].filters[${index}]: ${problem}`];
    }),
  );
  if (problems.length > 0) throw nonRetryable('SearchRefused', `${problems.join('; ')}. Nothing was ordered`);
}

/** @throws ApplicationFailure, non-retryable, for a company property that the portal does not have */
function toProperty(properties: ReadonlyMap<string, Property>, name: string): Property {
  const found = properties.get(name);
  if (found !== undefined) return found;
  const meant = closestMatch(name, [...properties.keys()]);
  const hint = meant === null ? '' : `. Did you mean ${meant}?`;
  throw nonRetryable('PropertyRefused', `HubSpot has no company property ${JSON.stringify(name)}${hint}`);
}
