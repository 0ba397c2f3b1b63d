import createClient, { type Client } from 'openapi-fetch';
import type { PathsOf } from '../../src/service/contract/operation.ts';
import type { controlOperations } from './control-operations.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';

export type ControlClient = Client<PathsOf<typeof controlOperations>>;

/** A typed client of the control plane: `const { data } = await client.POST('/clock', { body: { advance: 'PT12H' } })`. */
export function createControlClient({
  baseUrl,
  fetch,
}: {
  readonly baseUrl: string;
  /** Default: the global fetch. */
  readonly fetch?: Fetch;
}): ControlClient {
  return createClient({ baseUrl, redirect: 'error', ...(fetch === undefined ? {} : { fetch }) });
}
