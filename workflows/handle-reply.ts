import { CancellationScope, isCancellation, TemporalFailure, upsertSearchAttributes } from '@temporalio/workflow';
import { failureTypeOf, rootCause } from '../src/base/failures/application-failure.ts';
import type { ReplyEffects } from '../src/replies/process-reply.ts';
import { failureAttribute, outcomeAttribute } from '../src/temporal/search-attributes.ts';
import { shortActivities } from './activity-options.ts';

/** The reply itself is in the inbox of the ledger: a workflow only has its id. */
export interface HandleReply {
  readonly webhookId: string;
}

export interface ReplyReport extends ReplyEffects {
  readonly classification: string | null;
  /** People and companies that the reply keeps suppressed. */
  readonly suppressed: number;
  /** Those whose suppression a person has removed since this reply suppressed them: they stay so. */
  readonly stayRemoved: number;
  /** Seconds from receipt to suppression; null if the reply is no do_not_contact. */
  readonly suppressionSeconds: number | null;
}

/** Processes a reply: suppression first, then the contact, its note and task in HubSpot. */
export async function handleReply({ webhookId }: HandleReply): Promise<ReplyReport> {
  try {
    const { classification, suppressed, stayRemoved, seconds } =
      await shortActivities.suppressReplier.executeWithOptions(
        { summary: 'do-not-contact suppression in the ledger' },
        [{ webhookId }],
      );
    const written = await shortActivities.writeReply.executeWithOptions(
      { summary: 'contact, note and task in HubSpot' },
      [{ webhookId }],
    );
    upsertSearchAttributes([{ key: outcomeAttribute, value: written.state }]);
    return { classification, suppressed, stayRemoved, suppressionSeconds: seconds, ...written };
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    const failure = isCancellation(error) ? 'Cancelled' : failureTypeOf(rootCause(error));
    upsertSearchAttributes([
      { key: outcomeAttribute, value: isCancellation(error) ? 'cancelled' : 'failed' },
      { key: failureAttribute, value: failure },
    ]);
    // Runs also after a cancellation: an open row would start the reply again.
    await CancellationScope.nonCancellable(() =>
      shortActivities.failReply.executeWithOptions({ summary: `record ${failure}` }, [{ webhookId, failure }]),
    );
    throw error;
  }
}
