/** How a worker refuses payloads that are not encrypted: with an end, where there can be one. */
import type { ApplicationFailure, Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import { nonRetryable } from '../failures/application-failure.ts';
import { CodecError } from './data-converter.ts';
import { refusedMark } from './refused-payload.ts';

/**
 * A codec that rejects fails the whole task of a workflow, which Temporal repeats without end. In a workflow a refused
 * payload is therefore replaced: workflows/refuse-unencrypted-input.ts ends a workflow whose input is one, and anything else that
 * reads it fails. An activity of no workflow ends, too; one of a workflow is tried again, since its workflow may be from before
 * encryption. All other errors reject as before.
 */
export function createWorkerCodec(codec: PayloadCodec): PayloadCodec {
  const decodeOne = async (payload: Payload, context?: SerializationContext): Promise<Payload> => {
    try {
      const [decoded = payload] = await codec.decode([payload], context);
      return decoded;
    } catch (error) {
      if (!(error instanceof CodecError) || error.problem !== 'not-encrypted') throw error;
      // With encryption, the text of a failed task can be read with the key alone.
      Runtime.instance().logger.warn(`Refused: ${error.message}`, { workflowId: context?.workflowId });
      if (context?.type === 'workflow') return refusedPayload();
      throw context?.type === 'activity' && !context.workflowId ? toFinal() : error;
    }
  };
  return {
    encode: (payloads, context) => codec.encode(payloads, context),
    decode: (payloads, context) => Promise.all(payloads.map((payload) => decodeOne(payload, context))),
  };
}

/** Whoever reads it in spite of all gets the SDK's error `Unknown encoding: …`. */
function refusedPayload(): Payload {
  const encoding = 'not encrypted, and temporal.encryption.accept_plain is false';
  return { metadata: { encoding: Buffer.from(encoding), [refusedMark]: Buffer.of() }, data: Buffer.of() };
}

/** The SDK sets `nonRetryable` of all failures to read an activity's input to false; of this one it cannot. */
function toFinal(): ApplicationFailure {
  const failure = nonRetryable('NotEncrypted', 'the input of the activity is not encrypted');
  return Object.defineProperty(failure, 'nonRetryable', { get: () => true, set: () => {} });
}
