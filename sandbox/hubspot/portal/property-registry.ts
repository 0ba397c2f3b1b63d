import { ApiError, validationError, notFound } from '../api-error.ts';
import type { HubSpotAssumptions } from '../hubspot-assumptions.ts';
import type { ObjectType } from '../object-types.ts';
import type { PortalSettings } from './portal-settings.ts';
import { companyProperties } from '../built-in/company-properties.ts';
import { contactProperties } from '../built-in/contact-properties.ts';
import { dealProperties } from '../built-in/deal-properties.ts';
import type { PropertyDefinition, GroupDefinition } from '../built-in/property-definition.ts';
import { noteProperties, taskProperties } from '../built-in/engagement-properties.ts';

// HubSpot allows ten properties with unique values an object type. How it refuses the eleventh, and a custom property
// too many, is not documented: a plain validation error here.
const maxUnique = 10;

const defaults: Readonly<Record<string, { group: string; label: string; properties: readonly PropertyDefinition[] }>> =
  {
    '0-1': { group: 'contactinformation', label: 'Contact information', properties: contactProperties },
    '0-2': { group: 'companyinformation', label: 'Company information', properties: companyProperties },
    '0-3': { group: 'dealinformation', label: 'Deal information', properties: dealProperties },
    '0-46': { group: 'engagement', label: 'Engagement information', properties: noteProperties },
    '0-27': { group: 'task', label: 'Task information', properties: taskProperties },
  };

/** The properties of one object type in one portal. */
export interface PropertyRegistry {
  readonly groups: PropertyGroups;
  /** The active property of that name. */
  get(name: string): PropertyDefinition | undefined;
  /** Fails with 404 when there is none. */
  read(name: string, archived: boolean): PropertyDefinition;
  list(archived: boolean): PropertyDefinition[];
  uniqueNames(): readonly string[];
  /** Restores the property when its name is archived. */
  create(property: PropertyDefinition): PropertyDefinition;
  update(name: string, change: Partial<PropertyDefinition>): PropertyDefinition;
  archive(name: string): void;
  /** The number and the limit of the portal's custom properties. */
  custom(): { readonly usage: number; readonly limit: number };
}

export interface RegistryOptions {
  readonly type: ObjectType;
  readonly clock: () => Date;
  readonly assumed: HubSpotAssumptions;
  readonly settings: PortalSettings;
}

export function createPropertyRegistry({ type, clock, assumed, settings }: RegistryOptions): PropertyRegistry {
  const preset = defaults[type.typeId];
  const byName = new Map((preset?.properties ?? []).map((property) => [property.name, property]));
  let unique = namesOfUnique(byName);
  const set = (property: PropertyDefinition) => {
    byName.set(property.name, property);
    unique = namesOfUnique(byName);
    return property;
  };
  const known = (name: string) => {
    const property = byName.get(name);
    return property && isPurged(property, clock()) ? undefined : property;
  };
  const active = (name: string) => {
    const property = byName.get(name);
    return property?.archived ? undefined : property;
  };
  const read = (name: string, archived: boolean) => {
    const property = known(name);
    if (!property || (property.archived ?? false) !== archived) throw noSuchProperty(type, name);
    return property;
  };
  const list = (archived: boolean) =>
    [...byName.values()].filter((property) => (property.archived ?? false) === archived && known(property.name));
  const customLimit = () => assumed.customProperties[settings.plan];
  const customCount = () => list(false).filter(({ hubspotDefined }) => !hubspotDefined).length;

  return {
    get: active,
    read,
    list,
    uniqueNames: () => unique,
    create(property) {
      if (active(property.name)) throw nameTaken(property.name);
      if (property.hasUniqueValue && unique.length >= maxUnique) {
        throw validationError(
          `${type.singular} already has ${maxUnique} properties with unique values, which is the maximum.`,
        );
      }
      if (customCount() >= customLimit()) {
        throw validationError(`${type.plural} already have ${customLimit()} custom properties, which is the maximum.`);
      }
      // A restored property keeps the date of its first creation.
      return set({ ...property, createdAt: known(property.name)?.createdAt ?? clock().toISOString() });
    },
    update: (name, change) => set({ ...read(name, false), ...change, updatedAt: clock().toISOString() }),
    archive(name) {
      const property = read(name, false);
      if (property.hubspotDefined) throw readOnlyDefinition(name);
      if (settings.propertiesInUse[type.plural]?.includes(name)) throw inUse(type, name);
      set({ ...property, archived: true, archivedAt: clock().toISOString() });
    },
    custom: () => ({ usage: customCount(), limit: customLimit() }),
    groups: createPropertyGroups(preset?.group ?? '', preset?.label ?? '', (group) =>
      list(false).some((property) => property.groupName === group),
    ),
  };
}

export function readOnlyDefinition(name: string): ApiError {
  return new ApiError(400, {
    message: `Property ${name} is defined by HubSpot and cannot be changed.`,
    category: 'VALIDATION_ERROR',
  });
}

function namesOfUnique(byName: ReadonlyMap<string, PropertyDefinition>): string[] {
  return [...byName.values()]
    .filter(({ hasUniqueValue, archived }) => hasUniqueValue && !archived)
    .map(({ name }) => name);
}

function noSuchProperty(type: ObjectType, name: string): ApiError {
  return notFound(`${type.plural} has no property named ${name}`, { propertyName: [name] });
}

/** Archived properties can be restored for 90 days. */
function isPurged({ archived, archivedAt }: PropertyDefinition, now: Date): boolean {
  return archived === true && archivedAt !== undefined && now.getTime() - Date.parse(archivedAt) >= 90 * 86_400_000;
}

function inUse(type: ObjectType, name: string): ApiError {
  return new ApiError(400, {
    message: `Property: ${name} of object type ${type.typeId} is currently used in 1 places and cannot be deleted`,
    context: { usageCount: ['1'] },
    category: 'VALIDATION_ERROR',
    subCategory: 'PropertyValidationError.CANNOT_DELETE_PROPERTY_IN_USE',
  });
}

function nameTaken(name: string): ApiError {
  return new ApiError(409, {
    message: `A property named '${name}' already exists.`,
    category: 'OBJECT_ALREADY_EXISTS',
    subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
  });
}

export interface PropertyGroups {
  list(): GroupDefinition[];
  has(name: string): boolean;
  read(name: string): GroupDefinition;
  /** Creates a group of an archived name again, with the new label. */
  create(group: GroupDefinition): GroupDefinition;
  update(name: string, change: Partial<Pick<GroupDefinition, 'label' | 'displayOrder'>>): GroupDefinition;
  archive(name: string): void;
}

function createPropertyGroups(
  presetName: string,
  presetLabel: string,
  isUsed: (group: string) => boolean,
): PropertyGroups {
  const byName = new Map<string, GroupDefinition>();
  byName.set(presetName, { name: presetName, label: presetLabel, displayOrder: 0, archived: false });
  const read = (name: string) => {
    const group = byName.get(name);
    if (!group) throw notFound(`No property group named ${name} exists`, { groupName: [name] });
    return group;
  };
  const set = (group: GroupDefinition) => {
    byName.set(group.name, group);
    return group;
  };
  return {
    list: () => [...byName.values()],
    has: (name) => byName.has(name),
    read,
    create(group) {
      if (byName.has(group.name)) throw groupNameTaken(group.name);
      return set(group);
    },
    update: (name, change) => set({ ...read(name), ...change }),
    archive(name) {
      read(name);
      if (isUsed(name)) throw stillUsed(name);
      byName.delete(name);
    },
  };
}

// The body of this refusal is not documented for groups; it is shaped like the one for properties.
function groupNameTaken(name: string): ApiError {
  return new ApiError(409, {
    message: `A property group named '${name}' already exists.`,
    category: 'OBJECT_ALREADY_EXISTS',
    subCategory: 'Properties.GROUP_WITH_NAME_EXISTS',
  });
}

function stillUsed(name: string): ApiError {
  return new ApiError(400, {
    message: "Can't delete or purge a group with active properties",
    context: { groupName: [name] },
    category: 'VALIDATION_ERROR',
    subCategory: 'PropertyGroupError.GROUP_WITH_ACTIVE_PROPERTIES',
  });
}
