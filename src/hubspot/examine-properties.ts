import type { HubSpotClient } from './hubspot-client.ts';
import type { Check } from './portal-checks.ts';
import type { NamedProperty } from './ensure-properties.ts';
import { ownProperties, propertyGroup } from './own-properties.ts';
import type { PropertyDefinition } from './own-properties.ts';
import { findIncompatibility } from './property-compatibility.ts';
import { findDifference } from './crm-property.ts';
import type { Property } from './crm-property.ts';
import type { ObjectType } from './hubspot-record.ts';

interface Wanted {
  readonly createProperties: boolean;
  readonly mustExist: readonly NamedProperty[];
}

/** Of each kind of record. */
const UNIQUE_PROPERTIES = 10;

/** Our own properties, which are created where that is allowed; those that the configuration names; room for unique ones. */
export async function examineProperties(hubspot: HubSpotClient, type: ObjectType, wanted: Wanted): Promise<Check[]> {
  const found = await hubspot.properties.list(type);
  const own: readonly PropertyDefinition[] = ownProperties[type];
  const missing = own.filter(({ name }) => !found.has(name));
  const used = [...found.values()].filter(({ hasUniqueValue, hubspotDefined }) => hasUniqueValue && !hubspotDefined);
  const lacksUnique = missing.some(({ hasUniqueValue }) => hasUniqueValue === true);
  const isFull = lacksUnique && used.length >= UNIQUE_PROPERTIES;
  const unfit = own.flatMap((property) => toUnfit(property, found.get(property.name)));
  const mayCreate = wanted.createProperties && !isFull && !unfit.some(({ state }) => state === 'problem');
  const created =
    missing.length > 0 && mayCreate
      ? (await hubspot.properties.ensure(type, { group: propertyGroup, properties: own, create: true })).created
      : [];
  const left = missing.filter(({ name }) => !created.includes(name));
  const now = used.length + missing.filter((own) => own.hasUniqueValue === true && created.includes(own.name)).length;
  return [
    checkOwn(type, { created, left: mayCreate ? [] : left, unfit }),
    checkNamed(type, wanted.mustExist, { found, own: own.map(({ name }) => name) }),
    {
      check: `${type}: unique properties`,
      state: isFull ? 'problem' : 'ok',
      says: `${now} of ${UNIQUE_PROPERTIES} used${isFull ? ', and one more is needed' : ''}`,
    },
  ];
}

interface PropertyProblem {
  readonly state: 'warning' | 'problem';
  readonly says: string;
}

function toUnfit(wanted: PropertyDefinition, found: Property | undefined): PropertyProblem[] {
  const difference = found && findDifference(wanted, found);
  if (difference === undefined) return [];
  const state = difference === 'FIELD_TYPE_DIFFERS' ? 'warning' : 'problem';
  return [{ state, says: `${wanted.name} should be ${describe(wanted)} (${difference})` }];
}

interface OwnState {
  readonly created: readonly string[];
  readonly left: readonly PropertyDefinition[];
  readonly unfit: readonly PropertyProblem[];
}

function checkOwn(type: ObjectType, { created, left, unfit }: OwnState): Check {
  const says = [
    ...unfit.map((property) => property.says),
    ...(left.length === 0
      ? []
      : [`missing: ${left.map((property) => `${property.name} (${describe(property)})`).join(', ')}`]),
    ...(created.length === 0 ? [] : [`created ${created.join(', ')}`]),
  ];
  const isProblem = left.length > 0 || unfit.some(({ state }) => state === 'problem');
  const state = isProblem ? 'problem' : unfit.length > 0 ? 'warning' : 'ok';
  return { check: `${type}: own properties`, state, says: says.join('; ') || 'all exist' };
}

interface Known {
  readonly found: ReadonlyMap<string, Property>;
  readonly own: readonly string[];
}

function checkNamed(type: ObjectType, mustExist: readonly NamedProperty[], { found, own }: Known): Check {
  const check = `${type}: mapped properties`;
  const named = mustExist.filter((property) => property.type === type);
  const absent = named.filter(({ name }) => !found.has(name) && !own.includes(name)).map(({ name }) => name);
  const misfits = named.flatMap(({ name, holds }) => {
    const property = found.get(name);
    return (property && holds && findIncompatibility(property, holds)) ?? [];
  });
  const says = [
    ...(absent.length === 0
      ? []
      : [`not in the portal: ${absent.join(', ')}. Create them, or remove them from the mapping`]),
    ...misfits.map((misfit) => misfit.says),
  ].join('; ');
  const isProblem = absent.length > 0 || misfits.some(({ state }) => state === 'problem');
  return { check, state: isProblem ? 'problem' : says === '' ? 'ok' : 'warning', says: says || 'all exist' };
}

function describe({ type, fieldType, options, hasUniqueValue }: PropertyDefinition): string {
  const values = options === undefined ? '' : ` with ${options.map(({ value }) => value).join(' and ')}`;
  return `${type} as ${fieldType}${values}${hasUniqueValue === true ? ', unique' : ''}`;
}
