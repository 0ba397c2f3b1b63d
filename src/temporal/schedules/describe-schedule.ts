/** Reads schedules and the workflows that they started, even if payloads cannot be decrypted: a lost key must not hide them. */
import {
  ScheduleClient,
  ScheduleNotFoundError,
  type Client,
  type ScheduleDescription,
  isGrpcServiceError,
} from '@temporalio/client';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { isEncrypted } from '../codec/encryption-codec.ts';
import type { temporal } from '@temporalio/proto';

/** Replaces a payload that cannot be read. */
export const unreadable = 'unreadable';

/** null: there is no schedule of that id. */
export async function describeSchedule(client: Client, scheduleId: string): Promise<ScheduleDescription | null> {
  const { namespace, loadedDataConverter } = client.options;
  const schedules = new ScheduleClient({
    connection: client.connection,
    namespace,
    dataConverter: { payloadCodecs: [createLenientCodec(loadedDataConverter.payloadCodecs)] },
  });
  try {
    return await schedules.getHandle(scheduleId).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** The payloads of a schedule's action, as Temporal keeps them. */
export function payloadsOf({ raw }: ScheduleDescription): Payload[] {
  const { input, memo, userMetadata } = raw.schedule?.action?.startWorkflow ?? {};
  const texts = [userMetadata?.summary, userMetadata?.details];
  return [...(input?.payloads ?? []), ...Object.values(memo?.fields ?? {}), ...texts.flatMap((text) => text ?? [])];
}

function createLenientCodec(codecs: readonly PayloadCodec[]): PayloadCodec {
  return {
    encode: async (payloads) => payloads,
    decode: (payloads) => Promise.all(payloads.map((payload) => decode(payload, codecs))),
  };
}

async function decode(payload: Payload, codecs: readonly PayloadCodec[]): Promise<Payload> {
  try {
    let decoded = [payload];
    // An unencrypted payload is read even if keys are configured: it shows as a difference, which `apply` removes.
    if (isEncrypted(payload)) for (const codec of codecs.toReversed()) decoded = await codec.decode(decoded);
    const [only = payload] = decoded;
    defaultPayloadConverter.fromPayload(only);
    return only;
  } catch {
    return defaultPayloadConverter.toPayload(unreadable);
  }
}

/** gRPC's NOT_FOUND. */
const notFound = 5;

export type StartedWorkflow = temporal.api.workflow.v1.IWorkflowExecutionInfo;

/** The newest workflow of an id, without decoding its payloads, since their key may be lost. null if Temporal has no such workflow, or no longer. */
export async function findStartedWorkflow(client: Client, workflowId: string): Promise<StartedWorkflow | null> {
  try {
    const { workflowExecutionInfo } = await client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId },
    });
    return workflowExecutionInfo ?? null;
  } catch (error) {
    const code: number | null = isGrpcServiceError(error) ? error.code : null;
    if (code === notFound) return null;
    throw error;
  }
}
