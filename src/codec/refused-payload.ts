/** Loaded into the bundle of the workflows too: nothing of Node may be imported here. */
import type { Payload } from '@temporalio/common';

/** Name in the metadata of what a worker puts in the place of a payload that it refuses. */
export const refusedMark = 'prospect-sync-refused';

export function isRefused({ metadata }: Payload): boolean {
  return metadata != null && refusedMark in metadata;
}
