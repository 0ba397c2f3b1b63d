import { z } from 'zod';
import type { RunPlan } from '../src/config/run-plan.ts';
import type { DraftSource } from '../src/ledger/draft-store.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';
import { checked, runSchema, workflowKeySchema } from './checked-input.ts';
import { planOrder } from './configured-run.ts';
import { readCompanies } from '../src/companies/enrichment-companies.ts';

const draftOrderSchema = z.object({ run: runSchema, runKey: workflowKeySchema });

export function createDraftActivities({ hubspot, ledger, configuration }: ActivityDependencies) {
  return {
    /** Stores the companies of an enrichment order once, so that every attempt to place it sends the same bytes. */
    draftOrder: checked(draftOrderSchema, async ({ run, runKey }) => {
      // A retry uses the stored draft: the file may have changed or been deleted since.
      const stored = await ledger.drafts.source(runKey);
      const { report } = stored ?? (await draft(planOrder({ configuration }, run), runKey));
      return { rows: report.ordered, unusable: report.unusable, source: report };
    }),
  };

  async function draft(plan: RunPlan, runKey: string): Promise<DraftSource> {
    const { rows, source } = await readCompanies(hubspot, plan, {
      signal: cancellationSignal(),
      onRows: recordProgress,
    });
    return ledger.drafts.save(runKey, rows, source);
  }
}
