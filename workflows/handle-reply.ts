import { CancellationScope, isCancellation, TemporalFailure, upsertSearchAttributes } from '@temporalio/workflow';
import { failureTypeOf, rootCause } from '../src/base/failures/application-failure.ts';
import type { ReplyReport } from '../activities/reply-activities.ts';
import { failureAttribute, outcomeAttribute } from '../src/temporal/search-attributes.ts';
import { shortActivities } from './activity-options.ts';

/** The reply itself is in the inbox of the ledger: a workflow only has its id. */
export interface HandleReply {
  readonly webhookId: string;
}

/** Processes a reply. One activity does it all: each further one would cost a busy Temporal a third of the whole. */
export async function handleReply({ webhookId }: HandleReply): Promise<ReplyReport> {
  try {
    const summary = 'do-not-contact suppression in the ledger; contact, note and task in HubSpot';
    const report = await shortActivities.processReply.executeWithOptions({ summary }, [{ webhookId }]);
    upsertSearchAttributes([{ key: outcomeAttribute, value: report.state }]);
    return report;
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
