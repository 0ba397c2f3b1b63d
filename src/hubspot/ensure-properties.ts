import {
  CoreApi,
  createConfiguration,
  GroupsApi,
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/properties/index.js';
import {
  CoreApi as SchemasApi,
  createConfiguration as createSchemasConfiguration,
  wrapHttpLibrary as wrapSchemasLibrary,
} from '@hubspot/api-client/lib/codegen/crm/schemas/index.js';
import { z } from 'zod';

import { HubSpotError, PROPERTY_MISSING } from './hubspot-error.ts';
import type { PropertyDefinition, PropertyGroup } from './managed-properties.ts';
import {
  propertySchema,
  findDifference,
  type Property,
  incompatibilityCodes,
  findIncompatibility,
  type NamedProperty,
} from './crm-property.ts';
import type { ObjectType } from './hubspot-record.ts';
import { callSdk, probeWriteScope, type Answered, type SdkCall, type SdkLibrary } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export interface CheckRequest {
  readonly properties: readonly PropertyDefinition[];
  /** Whether missing properties are created, now or later. Default: the setting of the client. */
  readonly create?: boolean | undefined;
  /** Properties that must exist already, whoever created them. Properties of other object types are ignored. */
  readonly mustExist?: readonly NamedProperty[] | undefined;
}

export interface EnsureRequest extends CheckRequest {
  readonly group: PropertyGroup;
}

/** A harmless difference: HubSpot shows the property in another way. */
export interface PropertyFinding {
  readonly code: 'FIELD_TYPE_DIFFERS';
  readonly property: string;
}

export interface CheckResult {
  readonly missing: PropertyDefinition[];
  readonly findings: PropertyFinding[];
}

export interface EnsureResult {
  /** Names of the properties that this call created. */
  readonly created: string[];
  readonly findings: PropertyFinding[];
}

const propertyListSchema = z.object({ results: z.array(propertySchema) });
const schemaOfTypeSchema = z.object({ requiredProperties: z.array(z.string()) });
const groupListSchema = z.object({ results: z.array(z.object({ name: z.string() })) });

const types = {
  string: PropertyCreateTypeEnum.String,
  number: PropertyCreateTypeEnum.Number,
  datetime: PropertyCreateTypeEnum.Datetime,
  enumeration: PropertyCreateTypeEnum.Enumeration,
} satisfies Record<PropertyDefinition['type'], PropertyCreateTypeEnum>;

const fieldTypes = {
  text: PropertyCreateFieldTypeEnum.Text,
  number: PropertyCreateFieldTypeEnum.Number,
  date: PropertyCreateFieldTypeEnum.Date,
  booleancheckbox: PropertyCreateFieldTypeEnum.Booleancheckbox,
} satisfies Record<PropertyDefinition['fieldType'], PropertyCreateFieldTypeEnum>;

export function createProperties(transport: Transport, createsMissing: boolean) {
  async function read(type: ObjectType, signal: AbortSignal | undefined) {
    const { value, request } = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) =>
      propertyListSchema.parse(await toCoreApi(library).getAll(type)),
    );
    return { existing: new Map(value.results.map((property) => [property.name, property])), request };
  }

  /**
   * Checks that the properties can hold the values that are written. Creates nothing.
   * @returns the prospect-sync properties that are missing and will be created
   * @throws HubSpotError; kind `answer`, with the names of the properties. Codes: PROPERTY_READ_ONLY, PROPERTY_TYPE_DIFFERS,
   * PROPERTY_NOT_UNIQUE (uniqueness is set at creation only), PROPERTY_OPTION_MISSING; PROPERTY_MISSING for missing properties that are
   * not created here
   */
  async function check(type: ObjectType, wanted: CheckRequest, signal?: AbortSignal): Promise<CheckResult> {
    const { properties, create = createsMissing } = wanted;
    const mustExist = (wanted.mustExist ?? []).filter((property) => property.type === type);
    const { existing, request } = await read(type, signal);
    const findings = properties.flatMap((property) => toFindings(property, existing.get(property.name), request));
    const missing = properties.filter(({ name }) => !existing.has(name));
    const others = mustExist.filter(({ name }) => !existing.has(name) && !missing.some((each) => each.name === name));
    const absent = [...(create ? [] : missing), ...others].map(({ name }) => name);
    if (absent.length > 0) {
      throw new HubSpotError({ ...request, kind: 'answer', code: PROPERTY_MISSING, property: absent.join(', ') });
    }
    assertCompatible(mustExist, existing, request);
    return { missing, findings };
  }

  // Runs that start at the same time take turns: otherwise each provokes a 409 for every property that the other one creates.
  const lastEnsured = new Map<ObjectType, Promise<EnsureResult>>();

  async function ensureOnce(
    type: ObjectType,
    { group, ...wanted }: EnsureRequest,
    signal: AbortSignal | undefined,
  ): Promise<EnsureResult> {
    const portal = { transport, type, signal };
    const { missing, findings } = await check(type, wanted, signal);
    if (missing.length > 0) await ensureGroup(portal, group);
    const created: string[] = [];
    for (const wanted of missing) {
      const { isNew, answered } = await createOrRead(portal, wanted, group);
      findings.push(...toFindings(wanted, answered.value, answered.request));
      if (isNew) created.push(wanted.name);
    }
    return { created, findings };
  }

  return {
    check,

    /** All properties of the portal, by name. */
    async list(type: ObjectType, signal?: AbortSignal): Promise<Map<string, Property>> {
      return (await read(type, signal)).existing;
    },

    /**
     * Creates the missing properties and their group. Needs the scope crm.schemas.<type>.read, and .write when something is missing.
     * @throws HubSpotError as `check` does, before anything is created
     */
    ensure(type: ObjectType, wanted: EnsureRequest, signal?: AbortSignal): Promise<EnsureResult> {
      const turn = () => ensureOnce(type, wanted, signal);
      const ensured = (lastEnsured.get(type) ?? Promise.resolve()).then(turn, turn);
      lastEnsured.set(type, ensured);
      return ensured;
    },

    /** @throws HubSpotError, status 403, without the scope crm.schemas.<type>.write */
    requireWriteScope: (type: ObjectType, signal?: AbortSignal): Promise<void> =>
      probeWriteScope(transport, `/crm/v3/properties/${type}`, signal),

    /** Properties that dated API versions require for a new record. Needs the scope crm.schemas.<type>.read. */
    async required(type: ObjectType, signal?: AbortSignal): Promise<string[]> {
      const { value } = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) => {
        const api = new SchemasApi(createSchemasConfiguration({ httpApi: wrapSchemasLibrary(library) }));
        return schemaOfTypeSchema.parse(await api.getById(type));
      });
      return value.requiredProperties;
    },
  };
}

function assertCompatible(
  mustExist: readonly NamedProperty[],
  existing: ReadonlyMap<string, Property>,
  request: Answered<Property>['request'],
): void {
  const incompatible = mustExist.flatMap(({ name, holds }) => {
    const found = existing.get(name);
    const incompatibility = found && holds && findIncompatibility(found, holds);
    return incompatibility?.state === 'problem' ? [{ name, code: incompatibility.code }] : [];
  });
  for (const code of incompatibilityCodes) {
    const names = incompatible.filter((property) => property.code === code).map(({ name }) => name);
    if (names.length > 0) throw new HubSpotError({ ...request, kind: 'answer', code, property: names.join(', ') });
  }
}

interface Portal {
  readonly transport: Transport;
  readonly type: ObjectType;
  readonly signal: AbortSignal | undefined;
}

async function ensureGroup({ transport, type, signal }: Portal, group: PropertyGroup): Promise<void> {
  const { value: groups } = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) =>
    groupListSchema.parse(await toGroupsApi(library).getAll(type)),
  );
  if (groups.results.some(({ name }) => name === group.name)) return;
  const call: SdkCall = { decodeAs: 201, idempotent: true, signal };
  await callSdk(transport, call, (library) => toGroupsApi(library).create(type, group)).catch(ignoreConflict);
}

/** HubSpot answers 409 when another process created the property, or when the answer to the first attempt was lost. */
async function createOrRead(
  { transport, type, signal }: Portal,
  wanted: PropertyDefinition,
  group: PropertyGroup,
): Promise<{ isNew: boolean; answered: Answered<Property> }> {
  const created = await callSdk(transport, { decodeAs: 201, idempotent: true, signal }, async (library) =>
    propertySchema.parse(await toCoreApi(library).create(type, toCreation(wanted, group))),
  ).catch(ignoreConflict);
  if (created !== undefined) return { isNew: true, answered: created };
  const answered = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) =>
    propertySchema.parse(await toCoreApi(library).getByName(type, wanted.name)),
  );
  return { isNew: false, answered };
}

function ignoreConflict(error: unknown): undefined {
  if (error instanceof HubSpotError && error.status === 409) return undefined;
  throw error;
}

function toCreation({ type, fieldType, options, ...wanted }: PropertyDefinition, group: PropertyGroup) {
  return {
    ...wanted,
    groupName: group.name,
    type: types[type],
    fieldType: fieldTypes[fieldType],
    ...(options === undefined
      ? {}
      : { options: options.map((option, displayOrder) => ({ ...option, displayOrder, hidden: false })) }),
  };
}

function toFindings(
  wanted: PropertyDefinition,
  found: Property | undefined,
  request: Answered<Property>['request'],
): PropertyFinding[] {
  const code = found && findDifference(wanted, found);
  if (code === undefined) return [];
  if (code === 'FIELD_TYPE_DIFFERS') return [{ code, property: wanted.name }];
  throw new HubSpotError({ ...request, kind: 'answer', code, property: wanted.name });
}

function toCoreApi(library: SdkLibrary): CoreApi {
  return new CoreApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}

function toGroupsApi(library: SdkLibrary): GroupsApi {
  return new GroupsApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}
