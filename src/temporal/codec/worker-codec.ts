/** Ends workflows and activities whose input is not encrypted. */
import type { ApplicationFailure, Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import { nonRetryable } from '../../base/failures/application-failure.ts';
import { CodecError } from './encryption-codec.ts';
import { refusedMark } from './refused-payload.ts';

/**
 * When a codec rejects, the workflow task fails and Temporal retries it forever. Therefore a plain payload of a workflow is
 * replaced: workflows/refuse-unencrypted-input.ts ends a workflow with such an input, and every other reader fails.
 * An activity without a workflow fails for good; one of a workflow is retried, because its workflow may be from before encryption.
 */
export function createWorkerCodec(codec: PayloadCodec): PayloadCodec {
  const decodeOne = async (payload: Payload, context?: SerializationContext): Promise<Payload> => {
    try {
      const [decoded = payload] = await codec.decode([payload], context);
      return decoded;
    } catch (error) {
      if (!(error instanceof CodecError) || error.problem !== 'not-encrypted') throw error;
      // Logged, because with encryption the text of a failed task can be read with the key only.
      Runtime.instance().logger.warn(`Refused: ${error.message}`, { workflowId: context?.workflowId });
      if (context?.type === 'workflow') return refusedPayload();
      throw context?.type === 'activity' && !context.workflowId ? toNonRetryable() : error;
    }
  };
  return {
    encode: (payloads, context) => codec.encode(payloads, context),
    decode: (payloads, context) => Promise.all(payloads.map((payload) => decodeOne(payload, context))),
  };
}

/** Reading it anyway throws the SDK's error `Unknown encoding: …`. */
function refusedPayload(): Payload {
  const encoding = 'not encrypted, and temporal.encryption.accept_plain is false';
  return { metadata: { encoding: Buffer.from(encoding), [refusedMark]: Buffer.of() }, data: Buffer.of() };
}

/** Fixes `nonRetryable`: the SDK sets it to false for every failure to read the input of an activity. */
function toNonRetryable(): ApplicationFailure {
  const failure = nonRetryable('NotEncrypted', 'the input of the activity is not encrypted');
  return Object.defineProperty(failure, 'nonRetryable', { get: () => true, set: () => {} });
}
