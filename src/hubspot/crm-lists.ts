import {
  createConfiguration,
  ListsApi,
  MembershipsApi,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/lists/index.js';
import { z } from 'zod';

import { HubSpotError } from './hubspot-error.ts';
import { idSchema } from './hubspot-record.ts';
import { callSdk } from './call-sdk.ts';
import type { SdkLibrary } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export interface CrmList {
  readonly name: string;
  /** `0-1` contacts, `0-2` companies. */
  readonly objectTypeId: string;
}

/** HubSpot's default; the maximum is not documented. */
const MEMBERS_PER_PAGE = 100;

const listSchema = z.object({ list: z.object({ name: z.string(), objectTypeId: z.string() }) });

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
          const api = new ListsApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
          return listSchema.parse(await api.getById(listId));
        });
        return { name: value.list.name, objectTypeId: value.list.objectTypeId };
      } catch (error) {
        if (error instanceof HubSpotError && error.status === 404) return undefined;
        throw error;
      }
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

function toMembershipsApi(library: SdkLibrary): MembershipsApi {
  return new MembershipsApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}
