/** Reads the digest of the settings with which a run was started. */
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { z } from 'zod';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Enough events to include the first activity of a scheduled run, which reads its plan. */
const eventsRead = 50;

const digestSchema = z.object({ digest: z.string() });
/** Of a run that a command started. */
const startSchema = digestSchema.extend({ start: z.enum(['confirmed', 'unconfirmed']) });

/**
 * Digest of the configuration with which a command started a run, or which the worker of a scheduled run has read. null when unknown:
 * the run has not read its configuration yet, or its encryption key is lost.
 */
export async function readStartedDigest(client: Client, workflowId: string): Promise<string | null> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: eventsRead,
  });
  const events = history?.events ?? [];
  const input = await readValue(client, events[0]?.workflowExecutionStartedEventAttributes?.input?.payloads);
  // The worker has the settings of a command, or the run fails.
  const started = startSchema.safeParse(input).data;
  const settings = started === undefined ? await readValue(client, findResult(events, 'readRun')) : started;
  return digestSchema.safeParse(settings).data?.digest ?? null;
}

/** Result of the first activity of the type; undefined until it has completed. */
function findResult(events: readonly HistoryEvent[], activityType: string): Payload[] | null | undefined {
  const scheduled = events.find(
    ({ activityTaskScheduledEventAttributes: attributes }) => attributes?.activityType?.name === activityType,
  );
  const completed = events.find(
    ({ activityTaskCompletedEventAttributes: attributes }) =>
      attributes?.scheduledEventId != null && String(attributes.scheduledEventId) === String(scheduled?.eventId),
  );
  return completed?.activityTaskCompletedEventAttributes?.result?.payloads;
}

/** Value of the first payload; null when there is none, or it cannot be decoded here. */
async function readValue({ options }: Client, payloads: Payload[] | null | undefined): Promise<unknown> {
  const [first] = payloads ?? [];
  if (first === undefined) return null;
  try {
    let decoded = [first];
    for (const codec of options.loadedDataConverter.payloadCodecs.toReversed()) decoded = await codec.decode(decoded);
    const [only = first] = decoded;
    return defaultPayloadConverter.fromPayload<unknown>(only);
  } catch {
    return null;
  }
}
