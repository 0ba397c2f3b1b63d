import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { OutcomeTally } from '../src/ledger/crm-outcomes.ts';
import type { FileReport } from '../src/delivery/files/order-spreadsheet.ts';
import { toCrmFindings, type Finding } from '../src/proof/report/order-report.ts';
import { kindAttribute, runAttributePairs } from '../src/temporal/search-attributes.ts';
import { shortActivities, batchActivities, prepareCrmSummary } from './activity-options.ts';
import { withProgress } from './with-progress.ts';
import type { ProgressReporter } from './progress-query.ts';
import { toRanges } from './slot-ranges.ts';

export interface RetryRows {
  readonly orderId: string;
  /** Mapping version that the command read; the worker's must be the same. */
  readonly mappingVersion: string;
}

export interface RetryReport {
  readonly crm: { readonly companies: OutcomeTally; readonly contacts: OutcomeTally };
  /** Rewritten spreadsheets. */
  readonly files: readonly FileReport[];
  /** Rows that are still quarantined or failed. */
  readonly findings: readonly Finding[];
}

/** Writes quarantined and failed rows to the CRM again, then the files of the order, from the ledger without calling the service. */
export function retryRows(input: RetryRows): Promise<RetryReport> {
  return withProgress((progress) => retry(input, progress));
}

async function retry(
  { orderId, mappingVersion }: RetryRows,
  { setStage, setDetails, finish }: ProgressReporter,
): Promise<RetryReport> {
  const { workflowId, originalExecutionRunId } = workflowInfo();
  const {
    total,
    kind,
    runName,
    crm: hasCrm,
  } = await shortActivities.openOrder.executeWithOptions({ summary: 'order in the ledger' }, [{ orderId }]);
  upsertSearchAttributes([{ key: kindAttribute, value: kind }, ...runAttributePairs(runName)]);
  // An order that was delivered to files only has no records, and gets none.
  if (hasCrm) await writeRows();
  const crm = await shortActivities.tallyCrm.executeWithOptions(
    { summary: `companies and contacts of ${total} slots` },
    [{ orderId }],
  );
  setDetails({ tables: { companies: crm.companies, contacts: crm.contacts } });
  setStage('writing the files');
  const { files } = await batchActivities.rewriteSpreadsheets.executeWithOptions(
    { summary: `files of ${total} slots` },
    [{ orderId }],
  );
  setDetails({ files });
  const findings = toCrmFindings(crm);
  finish(findings);
  return { crm, files, findings };

  async function writeRows(): Promise<void> {
    await batchActivities.prepareCrm.executeWithOptions({ summary: prepareCrmSummary }, [{ mappingVersion }]);
    for (const range of toRanges(total)) {
      setStage('writing to the CRM', { slots: total, checked: range.to });
      await batchActivities.projectToCrm.executeWithOptions(
        { summary: `quarantined and failed rows of slots ${range.label}` },
        [
          {
            orderId,
            projectionId: `${workflowId}#${originalExecutionRunId}`,
            onlyUnfinished: true,
            from: range.from,
            to: range.to,
          },
        ],
      );
    }
  }
}
