/** Lists workflows, also those whose memo this process cannot decrypt. */
import { WorkflowClient, type Client, type ListOptions, type WorkflowExecutionInfo } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { CodecError, isEncrypted } from './codec/encryption-codec.ts';

/** Stands for a value of a memo that is encrypted with a key that is not configured here. */
const unreadable = 'prospect-sync: encrypted with another key';

/** The client of the SDK would end the whole list at the first value that it cannot decode. */
export function listWorkflows(
  { connection, options }: Client,
  list: ListOptions,
): AsyncIterable<WorkflowExecutionInfo> {
  const { namespace, loadedDataConverter } = options;
  const codec = createLenientCodec(loadedDataConverter.payloadCodecs);
  return new WorkflowClient({ connection, namespace, dataConverter: { payloadCodecs: [codec] } }).list(list);
}

/** True when the memo is encrypted with a key that is not configured here. A run without a memo does not show its key. */
export function isOfAnotherKey({ memo }: Pick<WorkflowExecutionInfo, 'memo'>): boolean {
  return Object.values(memo ?? {}).includes(unreadable);
}

function createLenientCodec(codecs: readonly PayloadCodec[]): PayloadCodec {
  const decodeOne = async (payload: Payload): Promise<Payload> => {
    // A list executes nothing, so it reads plain values also where workers reject them.
    if (!isEncrypted(payload)) return payload;
    let decoded = [payload];
    try {
      for (const codec of codecs.toReversed()) decoded = await codec.decode(decoded);
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
      return defaultPayloadConverter.toPayload(unreadable);
    }
    const [only = payload] = decoded;
    return isEncrypted(only) ? defaultPayloadConverter.toPayload(unreadable) : only;
  };
  return {
    encode: (payloads) => Promise.resolve(payloads),
    decode: (payloads) => Promise.all(payloads.map((payload) => decodeOne(payload))),
  };
}
