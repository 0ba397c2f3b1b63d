/** Part of the workflow bundle: import nothing of Node here. */
import type { Payload } from '@temporalio/common';

/** Metadata key of the payload by which a worker replaces a refused one. */
export const refusedMark = 'prospect-sync-refused';

export function isRefused({ metadata }: Payload): boolean {
  return metadata != null && refusedMark in metadata;
}
