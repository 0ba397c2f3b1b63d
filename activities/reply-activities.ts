/** The steps of a reply that was received: suppression, HubSpot, and the end of its row in the inbox. */
import { z } from 'zod';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { isFailureType } from '../src/base/failures/failure-descriptions.ts';
import {
  prepareReplies,
  suppressReplier,
  writeReply,
  type ReplyEffects,
  type Suppressed,
} from '../src/replies/process-reply.ts';
import { parseJsonWithinLimits } from '../src/base/json/json-limits.ts';
import type { ReplyRow } from '../src/ledger/reply-store.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { cancellationSignal } from './activity-heartbeat.ts';
import { checked } from './checked-input.ts';

const replySchema = z.object({ webhookId: z.string().min(1).max(255) });
const failedSchema = replySchema.extend({ failure: z.string().max(100) });

/** The reason of a reply whose workflow was cancelled. */
const cancelled = 'Cancelled';

export interface ReplyReport extends ReplyEffects, Pick<Suppressed, 'suppressed' | 'stayRemoved'> {
  readonly classification: string | null;
  /** Seconds from receipt to suppression; null if the reply is no do_not_contact. */
  readonly suppressionSeconds: number | null;
}

export function createReplyActivities({ prospecting, hubspot, ledger, now, configuration }: ActivityDependencies) {
  const toDependencies = () => ({ hubspot, ledger, now, signal: cancellationSignal(), policy: configuration.replies });
  let prepared: Promise<void> | null = null;
  /** Once a process: the properties are not removed while a worker runs. Cancelling one activity must not fail those that wait with it. */
  const prepare = () => {
    prepared ??= prepareReplies(hubspot).catch((error: unknown) => {
      prepared = null;
      throw error;
    });
    return prepared;
  };
  const read = async (webhookId: string): Promise<ReplyRow> => {
    const reply = await ledger.replies.get(webhookId);
    if (reply !== undefined) return reply;
    throw nonRetryable('ReplyNotReceived', `reply ${webhookId} is not in the inbox of this ledger`);
  };

  return {
    /** Suppression first, which needs no HubSpot; then the contact, its note and task in HubSpot, and the end of the row in the inbox. */
    processReply: checked(replySchema, async ({ webhookId }): Promise<ReplyReport> => {
      const reply = await read(webhookId);
      const webhook = parseJsonWithinLimits(reply.body ?? '');
      if (webhook !== undefined) prospecting.answers.recordBody('replyWebhook', webhook);
      const dependencies = toDependencies();
      const { receivedAt, classification } = reply;
      const { suppressed, stayRemoved, suppressedAt } = await suppressReplier(dependencies, reply);
      const suppressionSeconds =
        suppressedAt === null ? null : (Date.parse(suppressedAt) - Date.parse(receivedAt)) / 1_000;
      await prepare();
      const effects = await writeReply(dependencies, reply);
      const { state, reason } = effects;
      await ledger.replies.finish(webhookId, { state, reason, at: now().toISOString() });
      return { classification, suppressed, stayRemoved, suppressionSeconds, ...effects };
    }),

    /** Records that the workflow failed, so that a user sees it; `replies replay` starts it again. */
    failReply: checked(failedSchema, async ({ webhookId, failure }) => {
      const reason = failure === cancelled || isFailureType(failure) ? failure : 'Unexpected';
      await ledger.replies.finish(webhookId, { state: 'failed', reason, at: now().toISOString() });
      return { reason };
    }),
  };
}
