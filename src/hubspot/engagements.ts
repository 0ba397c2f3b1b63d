/** Notes and tasks of contacts. HubSpot has no key for them: a marker in their text shows which ones are ours. */
import { z } from 'zod';
import type { createAssociations } from './associations.ts';
import { callWithoutSdk } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';
import { idSchema } from './hubspot-record.ts';
import type { createObjectReads } from './object-reads.ts';

export type EngagementType = 'notes' | 'tasks';

/** Where the text is, and the type of the association to a contact, as HubSpot defines them. */
const engagements = {
  notes: { body: 'hs_note_body', toContact: 202 },
  tasks: { body: 'hs_task_body', toContact: 204 },
} as const satisfies Record<EngagementType, { body: string; toContact: number }>;

const createdSchema = z.object({ id: idSchema });

interface Readers {
  readonly objects: Pick<ReturnType<typeof createObjectReads>, 'read'>;
  readonly associations: Pick<ReturnType<typeof createAssociations>, 'read'>;
}

export function createEngagements(transport: Transport, { objects, associations }: Readers) {
  return {
    /**
     * Creates a note or task of a contact in one call. After an unknown outcome, call `findMarked` before creating it again.
     * @returns its id
     * @throws HubSpotError
     */
    async create(
      type: EngagementType,
      { contactId, properties }: { readonly contactId: string; readonly properties: Readonly<Record<string, string>> },
      signal?: AbortSignal,
    ): Promise<string> {
      const associationTypeId = engagements[type].toContact;
      const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }];
      const body = JSON.stringify({ properties, associations: [{ to: { id: contactId }, types }] });
      const call = { method: 'POST', path: `/crm/v3/objects/${type}`, body, idempotent: false, signal };
      const { value } = await callWithoutSdk(transport, call, (json) => createdSchema.parse(json));
      return value.id;
    },

    /** The note or task of a contact whose text contains the marker; null when there is none. */
    async findMarked(
      type: EngagementType,
      { contactId, marker }: { readonly contactId: string; readonly marker: string },
      signal?: AbortSignal,
    ): Promise<string | null> {
      const linked = await associations.read('contacts', type, [contactId], signal);
      const ids = (linked.get(contactId) ?? []).map(({ id }) => id);
      const { body } = engagements[type];
      const records = await objects.read(type, { ids, properties: [body], signal });
      const found = [...records.values()].find(({ properties }) => properties[body]?.includes(marker) === true);
      return found?.id ?? null;
    },
  };
}
