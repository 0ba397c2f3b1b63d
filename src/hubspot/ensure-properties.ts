import {
  CoreApi,
  createConfiguration,
  GroupsApi,
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/properties/index.js';
import { z } from 'zod';

import { HubSpotError } from './error.ts';
import type { PropertyDefinition, PropertyGroup } from './properties.ts';
import type { ObjectType } from './record.ts';
import { callSdk } from './sdk.ts';
import type { Answered, SdkCall, SdkLibrary } from './sdk.ts';
import type { Transport } from './transport.ts';

export interface EnsureRequest {
  readonly group: PropertyGroup;
  readonly properties: readonly PropertyDefinition[];
}

/** A difference that does no harm: someone changed how the property is shown. */
export interface PropertyFinding {
  readonly code: 'FIELD_TYPE_DIFFERS';
  readonly property: string;
}

export interface EnsureResult {
  /** Names of the properties that this call created. */
  readonly created: string[];
  readonly findings: PropertyFinding[];
}

const propertySchema = z.object({
  name: z.string(),
  type: z.string(),
  fieldType: z.string(),
  hasUniqueValue: z.boolean().optional(),
  options: z.array(z.object({ value: z.string() })).optional(),
});

type Property = z.infer<typeof propertySchema>;

const propertyListSchema = z.object({ results: z.array(propertySchema) });
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

export function createProperties(transport: Transport) {
  return {
    /**
     * Creates the group and the properties that are missing. Needs the scopes crm.schemas.<type>.read, and .write where something is missing.
     * @throws HubSpotError; kind `answer` naming the property, when one of that name cannot hold what is written: PROPERTY_TYPE_DIFFERS,
     * PROPERTY_NOT_UNIQUE (uniqueness is set at creation only) or PROPERTY_OPTION_MISSING
     */
    async ensure(type: ObjectType, { group, properties }: EnsureRequest, signal?: AbortSignal): Promise<EnsureResult> {
      const portal = { transport, type, signal };
      const list = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) =>
        propertyListSchema.parse(await toCoreApi(library).getAll(type)),
      );
      const existing = new Map(list.value.results.map((property) => [property.name, property]));
      const findings: PropertyFinding[] = [];
      const missing: PropertyDefinition[] = [];
      for (const wanted of properties) {
        const property = existing.get(wanted.name);
        if (property === undefined) missing.push(wanted);
        else findings.push(...toFindings(wanted, property, list.request));
      }
      if (missing.length > 0) await ensureGroup(portal, group);
      const created: string[] = [];
      for (const wanted of missing) {
        const { isNew, answered } = await createOrRead(portal, wanted, group);
        findings.push(...toFindings(wanted, answered.value, answered.request));
        if (isNew) created.push(wanted.name);
      }
      return { created, findings };
    },
  };
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

/** Another process may create it at the same time, and an answer that was lost makes the second attempt a 409. */
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
  found: Property,
  request: Answered<Property>['request'],
): PropertyFinding[] {
  const refuse = (code: string): never => {
    throw new HubSpotError({ ...request, kind: 'answer', code, property: wanted.name });
  };
  if (found.type !== wanted.type) refuse('PROPERTY_TYPE_DIFFERS');
  if (wanted.hasUniqueValue === true && found.hasUniqueValue !== true) refuse('PROPERTY_NOT_UNIQUE');
  const values = new Set(found.options?.map(({ value }) => value));
  if (wanted.options?.some(({ value }) => !values.has(value)) === true) refuse('PROPERTY_OPTION_MISSING');
  return found.fieldType === wanted.fieldType ? [] : [{ code: 'FIELD_TYPE_DIFFERS', property: wanted.name }];
}

function toCoreApi(library: SdkLibrary): CoreApi {
  return new CoreApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}

function toGroupsApi(library: SdkLibrary): GroupsApi {
  return new GroupsApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}
