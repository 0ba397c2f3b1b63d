/** Values that prospect-sync wrote and that a person has cleared in HubSpot since: clearing is an edit, and is kept as one. */
import { getOwnProperty } from '../../base/json/own-property.ts';
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import type { RecordWrite } from './record-write.ts';
import type { ProjectionDependencies } from './slot-batch.ts';
import { isWrittenValue, type StoredRecords } from './written-values.ts';

/**
 * Of the properties that are written only while they are empty, or while they have our value. A stored value alone proves nothing: its write
 * may have been lost, so that the history of the property decides.
 * @returns the names of the properties by record id
 */
export async function findClearedValues(
  { hubspot, signal }: Pick<ProjectionDependencies, 'hubspot' | 'signal'>,
  type: ObjectType,
  writes: readonly RecordWrite[],
  stored: StoredRecords,
): Promise<Map<string, string[]>> {
  const emptied = writes.flatMap((write) => {
    const { match, properties } = write;
    const { record } = match;
    if (record === null) return [];
    const isEmptied = (name: string) =>
      (getOwnProperty(record.properties, name) ?? '').trim() === '' && stored.valueOf(write, name) !== undefined;
    const names = Object.keys({ ...properties.fillEmpty, ...properties.onlyIfOurs }).filter(isEmptied);
    return names.length === 0 ? [] : [{ id: record.id, write, names }];
  });
  if (emptied.length === 0) return new Map();
  const histories = await hubspot.objects.readHistories(type, {
    ids: emptied.map(({ id }) => id),
    properties: [...new Set(emptied.flatMap(({ names }) => names))],
    signal,
  });
  return new Map(
    emptied.map(({ id, write, names }) => {
      const wasCleared = (name: string) => {
        const written = stored.valueOf(write, name);
        const [latest, ...earlier] = histories.get(id)?.[name] ?? [];
        if (written === undefined || latest === undefined) return false;
        return earlier.some(({ value, source }) => source !== latest.source && isWrittenValue(written, value));
      };
      return [id, names.filter(wasCleared)];
    }),
  );
}
