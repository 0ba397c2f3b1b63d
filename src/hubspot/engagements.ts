/** Notes and tasks of companies and contacts. HubSpot has no key for them: a marker in their text identifies those of prospect-sync. */
import { z } from 'zod';
import type { createAssociations } from './associations.ts';
import { callWithoutSdk } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';
import { idSchema, type ObjectType } from './hubspot-record.ts';
import type { createObjectReads } from './object-reads.ts';

export type EngagementType = 'notes' | 'tasks';

/** An earlier attempt may still be creating the item. */
export class ItemUnsettledError extends Error {
  override readonly name = 'ItemUnsettledError';
  readonly waitMs: number;

  constructor(item: string, waitMs: number) {
    super(`an earlier attempt may still create the ${item}`);
    this.waitMs = waitMs;
  }
}

/** The record that has a note or task. */
export interface EngagementParent {
  readonly object: ObjectType;
  readonly id: string;
}

/** Where the text is, and the types of the associations to records, as HubSpot defines them. */
const engagements = {
  notes: { body: 'hs_note_body', associationTypes: { companies: 190, contacts: 202 } },
  tasks: { body: 'hs_task_body', associationTypes: { companies: 192, contacts: 204 } },
} as const satisfies Record<EngagementType, { body: string; associationTypes: Record<ObjectType, number> }>;

const createdSchema = z.object({ id: idSchema });

interface Readers {
  readonly objects: Pick<ReturnType<typeof createObjectReads>, 'read'>;
  readonly associations: Pick<ReturnType<typeof createAssociations>, 'read'>;
}

export function createEngagements(transport: Transport, { objects, associations }: Readers) {
  return {
    /**
     * Creates a note or task of a record in one call. After an unknown outcome, call `findMarked` before creating it again.
     * @returns its id
     * @throws HubSpotError
     */
    async create(
      type: EngagementType,
      {
        parent,
        properties,
      }: { readonly parent: EngagementParent; readonly properties: Readonly<Record<string, string>> },
      signal?: AbortSignal,
    ): Promise<string> {
      const associationTypeId = engagements[type].associationTypes[parent.object];
      const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }];
      const body = JSON.stringify({ properties, associations: [{ to: { id: parent.id }, types }] });
      const call = { method: 'POST', path: `/crm/v3/objects/${type}`, body, idempotent: false, signal };
      const { value } = await callWithoutSdk(transport, call, (json) => createdSchema.parse(json));
      return value.id;
    },

    /** The note or task of a record whose text contains the marker; null when there is none. */
    async findMarked(
      type: EngagementType,
      { parent, marker }: { readonly parent: EngagementParent; readonly marker: string },
      signal?: AbortSignal,
    ): Promise<string | null> {
      const linked = await associations.read(parent.object, type, [parent.id], signal);
      const ids = (linked.get(parent.id) ?? []).map(({ id }) => id);
      const { body } = engagements[type];
      const records = await objects.read(type, { ids, properties: [body], signal });
      const found = [...records.values()].find(({ properties }) => properties[body]?.includes(marker) === true);
      return found?.id ?? null;
    },
  };
}
