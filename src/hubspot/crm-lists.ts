import {
  createConfiguration,
  ListsApi,
  MembershipsApi,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/lists/index.js';
import { z } from 'zod';

import { HubSpotError } from './hubspot-error.ts';
import { idSchema, type ObjectType } from './hubspot-record.ts';
import { callSdk } from './call-sdk.ts';
import type { SdkLibrary } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export interface CrmList {
  readonly name: string;
  /** What its members are: `companies`, `contacts`, or another type by its name or id. */
  readonly objects: string;
}

/** A list by its name. */
export interface NamedList {
  readonly id: string;
  /** `MANUAL`, `SNAPSHOT`, or `DYNAMIC`, whose members only its filters decide. */
  readonly processingType: string;
}

const typeIds: Readonly<Record<ObjectType, string>> = { companies: '0-2', contacts: '0-1' };

/** Other types, for messages. */
const namesOfTypes = new Map([
  ...Object.entries(typeIds).map(([name, id]) => [id, name] as const),
  ['0-3', 'deals'],
  ['0-5', 'tickets'],
]);

/** HubSpot's default; the maximum is not documented. */
const MEMBERS_PER_PAGE = 100;

/** HubSpot's limit of a page, and enough lists to find a similar name among. */
const LISTS_PER_PAGE = 500;
const MOST_LISTS = 5_000;

const searchSchema = z.object({
  lists: z.array(z.object({ name: z.string(), objectTypeId: z.string() })),
  offset: z.number(),
  hasMore: z.boolean(),
});

const listSchema = z.object({ list: z.object({ name: z.string(), objectTypeId: z.string() }) });

const namedSchema = z.object({ list: z.object({ listId: idSchema, processingType: z.string() }) });

/** Its added ids are `recordsIdsAdded` in the documentation, and in another version `recordIdsAdded`. Those that are members are not in it. */
const changeSchema = z.object({ recordIdsMissing: z.array(idSchema).default([]) });

const pageSchema = z.object({
  results: z.array(z.object({ recordId: idSchema })),
  paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
});

/** Lists by their ILS id, as in the address `…/objects/…/views/<id>` of HubSpot's UI. Needs the scope crm.lists.read. */
export function createLists(transport: Transport) {
  return {
    /** @returns undefined when the list does not exist */
    async get(listId: string, signal?: AbortSignal): Promise<CrmList | undefined> {
      try {
        const { value } = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) => {
          return listSchema.parse(await toListsApi(library).getById(listId));
        });
        const { name, objectTypeId } = value.list;
        return { name, objects: namesOfTypes.get(objectTypeId) ?? `records of type ${objectTypeId}` };
      } catch (error) {
        if (error instanceof HubSpotError && error.status === 404) return undefined;
        throw error;
      }
    },

    /** @returns undefined when the type has no list of that name; upper and lower case are the same */
    async findByName(type: ObjectType, name: string, signal?: AbortSignal): Promise<NamedList | undefined> {
      try {
        const { value } = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) =>
          namedSchema.parse(await toListsApi(library).getByName(name, typeIds[type])),
        );
        return { id: value.list.listId, processingType: value.list.processingType };
      } catch (error) {
        if (error instanceof HubSpotError && error.status === 404) return undefined;
        throw error;
      }
    },

    /** The names of the lists of a type, in a portal with very many lists only of the first ones. */
    async names(type: ObjectType, signal?: AbortSignal): Promise<string[]> {
      const names: string[] = [];
      let offset = 0;
      let hasMore = true;
      while (hasMore && offset < MOST_LISTS) {
        const request = { query: '', offset, count: LISTS_PER_PAGE };
        const { value: page } = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) =>
          searchSchema.parse(await toListsApi(library).doSearch(request)),
        );
        names.push(...page.lists.filter((list) => list.objectTypeId === typeIds[type]).map(({ name }) => name));
        hasMore = page.hasMore && page.offset > offset;
        offset = page.offset;
      }
      return names;
    },

    /** Creates a MANUAL list. HubSpot refuses a name that another list has. Needs the scope crm.lists.write. @returns its id */
    async create(type: ObjectType, name: string, signal?: AbortSignal): Promise<string> {
      const { value } = await callSdk(transport, { decodeAs: 200, idempotent: false, signal }, async (library) => {
        const request = { name, objectTypeId: typeIds[type], processingType: 'MANUAL' };
        return namedSchema.parse(await toListsApi(library).create(request));
      });
      return value.list.listId;
    },

    /** Adds records to a list that is not DYNAMIC. Members stay members. @returns the ids that HubSpot does not have */
    async add(listId: string, recordIds: readonly string[], signal?: AbortSignal): Promise<string[]> {
      const { value } = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) =>
        changeSchema.parse(await toMembershipsApi(library).add(listId, [...recordIds])),
      );
      return value.recordIdsMissing;
    },

    /** @throws HubSpotError, status 403, without the scope crm.lists.write */
    async requireWriteScope(signal?: AbortSignal): Promise<void> {
      // No list has this id, so that nothing can change.
      await this.add('0', [], signal).catch((error: unknown) => {
        if (!(error instanceof HubSpotError) || (error.status !== 400 && error.status !== 404)) throw error;
      });
    },

    /** Record ids of the list's members, in pages ordered by id. Members that join or leave meanwhile may be missing or included. */
    async *members(listId: string, signal?: AbortSignal): AsyncGenerator<string[], void> {
      let after: string | undefined;
      do {
        const { value: page, request } = await callSdk(
          transport,
          { decodeAs: 200, idempotent: true, signal },
          async (library) =>
            pageSchema.parse(await toMembershipsApi(library).getPage(listId, after, undefined, MEMBERS_PER_PAGE)),
        );
        const next = page.paging?.next?.after;
        if (next !== undefined && next === after) {
          throw new HubSpotError({ ...request, kind: 'answer', code: 'CURSOR_STANDS_STILL' });
        }
        if (page.results.length > 0) yield page.results.map(({ recordId }) => recordId);
        after = next;
      } while (after !== undefined);
    },
  };
}

function toListsApi(library: SdkLibrary): ListsApi {
  return new ListsApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}

function toMembershipsApi(library: SdkLibrary): MembershipsApi {
  return new MembershipsApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}
