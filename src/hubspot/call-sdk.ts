// Runs the generated API classes of HubSpot's SDK over our transport. The SDK's Client is not used: it keeps retries and limits in a
// process-wide singleton, repeats creates, and has neither timeouts nor cancellation.
import { ResponseContext } from '@hubspot/api-client/lib/codegen/crm/objects/index.js';

import { HubSpotError } from './hubspot-error.ts';
import type { HttpCall, Transport } from './hubspot-transport.ts';

export interface SdkCall {
  /**
   * The status that the SDK's deserialiser gets for any 2xx. It treats every status without a model as a failure (200 for a batch create,
   * 207 for an association), and drops `errors` unless the status is 207.
   */
  readonly decodeAs: 200 | 201 | 204 | 207;
  readonly idempotent: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Input of `wrapHttpLibrary`, whose classes every API family of the SDK repeats. */
export interface SdkLibrary {
  send(request: SdkRequest): Promise<ResponseContext>;
}

interface SdkRequest {
  getUrl(): string;
  getHttpMethod(): string;
  getBody(): unknown;
}

export interface Answered<T> {
  readonly value: T;
  /** Used for errors of single rows. */
  readonly request: { readonly method: string; readonly path: string; readonly status: number | undefined };
  /** True when the call was sent twice; HubSpot may have executed both. */
  readonly isResent: boolean;
}

/**
 * Runs one call of the SDK. `run` builds the API on the library, calls it once and checks the answer's shape.
 * @throws HubSpotError; kind `answer`, code UNREADABLE_ANSWER when `run` cannot read the answer
 */
export async function callSdk<T>(
  transport: Transport,
  call: SdkCall,
  run: (library: SdkLibrary) => Promise<T>,
): Promise<Answered<T>> {
  let request: Answered<T>['request'] = { method: '', path: '', status: undefined };
  let isResent = false;
  const library: SdkLibrary = {
    async send(sdkRequest) {
      const { pathname, search } = new URL(sdkRequest.getUrl());
      const method = sdkRequest.getHttpMethod();
      const body = sdkRequest.getBody();
      const path = `${pathname}${search}`;
      request = { method, path, status: undefined };
      const answer = await transport.send({
        method,
        path,
        body: typeof body === 'string' ? body : undefined,
        idempotent: call.idempotent,
        signal: call.signal,
      });
      request = { method, path: answer.path, status: answer.status };
      isResent = answer.isResent;
      return toResponseContext(call.decodeAs, answer.text);
    },
  };
  try {
    const value = await run(library);
    return { value, request, isResent };
  } catch (error) {
    if (error instanceof HubSpotError || request.status === undefined) throw error;
    throw new HubSpotError({ ...request, kind: 'answer', code: 'UNREADABLE_ANSWER' });
  }
}

/**
 * Runs one call without the SDK, for large answers: its deserialiser converts property by property, and takes as long as all else.
 * @param read checks the shape of the answer's JSON
 * @throws HubSpotError; kind `answer`, code UNREADABLE_ANSWER when `read` throws, or the answer is not JSON
 */
export async function callWithoutSdk<T>(
  transport: Transport,
  call: HttpCall,
  read: (json: unknown) => T,
): Promise<Answered<T>> {
  const { path, status, text, isResent } = await transport.send(call);
  const request = { method: call.method, path, status };
  try {
    return { value: read(JSON.parse(text)), request, isResent };
  } catch {
    throw new HubSpotError({ ...request, kind: 'answer', code: 'UNREADABLE_ANSWER' });
  }
}

/**
 * Asks whether the token may write to a path: HubSpot checks the scope, and then rejects an empty body, so that nothing changes.
 * @throws HubSpotError; status 403 without the scope
 */
export async function probeWriteScope(transport: Transport, path: string, signal?: AbortSignal): Promise<void> {
  const call = { method: 'POST', path, body: '{}', idempotent: true, signal };
  await callWithoutSdk(transport, call, () => undefined).catch((error: unknown) => {
    if (!(error instanceof HubSpotError) || error.status !== 400) throw error;
  });
}

function toResponseContext(status: number, text: string): ResponseContext {
  return new ResponseContext(
    status,
    { 'content-type': 'application/json' },
    { text: async () => text, binary: async () => Buffer.from(text) },
  );
}
