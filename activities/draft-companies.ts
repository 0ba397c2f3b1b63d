import { readCompanies } from '../src/companies/sources/enrichment-companies.ts';
import { assertAnnounced } from '../src/companies/purchases/announced-rows.ts';
import type { AnnouncedRows, RunPlan } from '../src/config/run-plan.ts';
import { rejectsPath } from '../src/delivery/files/rejects-file.ts';
import { findExcludedRows, isExcludingAlways } from '../src/companies/exclusions/exclude-rows.ts';
import { readFrozenEntries } from '../src/companies/exclusions/freeze-blacklist.ts';
import type { DraftRow } from '../src/ledger/draft-store.ts';
import type { DraftSource } from '../src/ledger/draft-source.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { activityContext } from './activity-heartbeat.ts';

interface DraftOptions {
  readonly runKey: string;
  /** Snapshots of the blacklists of the run's exclusions. */
  readonly excluding: readonly { readonly name: string; readonly digest: string }[];
  /** null: no command has shown the rows. */
  readonly announced: AnnouncedRows | null;
}

/** Reads the companies of an enrichment, and stores them. @returns the stored source @throws OrderUnconfirmed */
export async function draftCompanies(
  { hubspot, ledger }: Pick<ActivityDependencies, 'hubspot' | 'ledger'>,
  plan: RunPlan,
  { runKey, excluding, announced }: DraftOptions,
): Promise<DraftSource> {
  const context = activityContext();
  const exclusions = excluding.map(({ name, digest }) => ({ name, entries: readFrozenEntries(ledger, digest) }));
  const exclude = (rows: readonly DraftRow[]) => findExcludedRows(ledger, rows, exclusions, context);
  const isExcluding = excluding.length > 0 || (await isExcludingAlways(ledger));
  const draft = await readCompanies(hubspot, plan, context, isExcluding ? exclude : null);
  if (announced !== null) assertAnnounced(plan, draft, announced);
  const { rows, excluded, rejected } = draft;
  return ledger.drafts.save(runKey, rows, withRejectsPath(draft.source, plan, runKey), excluded, rejected);
}

function withRejectsPath(
  { report, headers }: DraftSource,
  { delivery, runName }: RunPlan,
  runKey: string,
): DraftSource {
  if (report.rejected === undefined) return { report, headers };
  const file = rejectsPath(delivery.evidenceDirectory, runName, runKey);
  const csv = delivery.spreadsheets?.csv;
  return { report: { ...report, rejected: { ...report.rejected, file, ...(csv && { csv }) } }, headers };
}
