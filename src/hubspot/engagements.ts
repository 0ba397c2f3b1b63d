/** Notes and tasks of companies and contacts. HubSpot has no key for them: a marker in their text identifies those of prospect-sync. */
import type { createAssociations } from './associations.ts';
import type { WriteResult } from './batch-write-results.ts';
import type { ObjectType } from './hubspot-record.ts';
import type { createObjectReads } from './object-reads.ts';
import type { createObjectWrites } from './object-writes.ts';

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

interface Objects {
  readonly read: ReturnType<typeof createObjectReads>['read'];
  readonly create: ReturnType<typeof createObjectWrites>['create'];
}

/** A note or task of a record. */
export interface NewEngagement {
  readonly parent: EngagementParent;
  readonly properties: Readonly<Record<string, string>>;
}

/** A note or task whose text ends with a marker. */
export interface MarkedEngagement {
  readonly parent: EngagementParent;
  readonly marker: string;
}

export function createEngagements(objects: Objects, associations: Pick<ReturnType<typeof createAssociations>, 'read'>) {
  return {
    /**
     * Creates notes or tasks, 100 a call. After an unknown outcome, call `findMarked` before creating one again.
     * @returns result i belongs to item i
     * @throws HubSpotError as `objects.create`
     */
    create(type: EngagementType, items: readonly NewEngagement[], signal?: AbortSignal): Promise<WriteResult[]> {
      const { associationTypes } = engagements[type];
      const inputs = items.map(({ parent, properties }) => ({
        properties,
        associations: [{ toId: parent.id, typeId: associationTypes[parent.object] }],
      }));
      return objects.create(type, inputs, signal);
    },

    /** @returns ids, of which the i-th belongs to item i; null where the record has none with the marker */
    async findMarked(
      type: EngagementType,
      items: readonly MarkedEngagement[],
      signal?: AbortSignal,
    ): Promise<(string | null)[]> {
      const linked = new Map<string, readonly string[]>();
      for (const [object, ofObject] of Map.groupBy(items, ({ parent }) => parent.object)) {
        const parents = [...new Set(ofObject.map(({ parent }) => parent.id))];
        for (const [id, found] of await associations.read(object, type, parents, signal))
          linked.set(
            `${object} ${id}`,
            found.map((end) => end.id),
          );
      }
      const { body } = engagements[type];
      const ids = [...new Set([...linked.values()].flat())];
      const records = await objects.read(type, { ids, properties: [body], signal });
      return items.map(({ parent, marker }) => {
        const candidates = linked.get(`${parent.object} ${parent.id}`) ?? [];
        return candidates.find((id) => endsWith(records.get(id)?.properties[body] ?? '', marker)) ?? null;
      });
    },
  };
}

/** Only the end is ours: what stands before it may quote the marker of another item. */
function endsWith(markup: string, marker: string): boolean {
  let text = markup.trimEnd();
  while (text.endsWith('>')) text = text.slice(0, Math.max(0, text.lastIndexOf('<'))).trimEnd();
  return text.endsWith(marker);
}
