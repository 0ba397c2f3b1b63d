/** The rows of a source that a command has shown to its user before the run reads it again. */
import { nonRetryable } from '../../base/failures/application-failure.ts';
import { digest } from '../../base/json/canonical-json.ts';
import type { AnnouncedRows, RunPlan } from '../../config/run-plan.ts';
import type { Draft } from '../sources/enrichment-companies.ts';

export function toAnnouncedRows({ rows, excluded }: Pick<Draft, 'rows' | 'excluded'>): AnnouncedRows {
  const all = [...rows, ...excluded].map(({ company }) => JSON.stringify(company)).toSorted();
  return { rows: all.length, digest: digest(all) };
}

/** The CRM and databases get new companies all the time. */
const growthTolerated = 1.1;

/**
 * Nothing was ordered yet.
 * @throws OrderUnconfirmed, non-retryable, for a file with other rows, and for another source with many more
 */
export function assertAnnounced(
  { companies }: Pick<RunPlan, 'companies'>,
  draft: Draft,
  announced: AnnouncedRows,
): void {
  const found = toAnnouncedRows(draft);
  const isFile = companies !== null && 'path' in companies;
  const isOther = isFile ? found.digest !== announced.digest : found.rows > announced.rows * growthTolerated;
  if (!isOther) return;
  const [present, then] = [found, announced].map(({ rows }) => rows.toLocaleString('en'));
  throw nonRetryable(
    'OrderUnconfirmed',
    found.rows === announced.rows
      ? `the file was changed: its ${present} rows are not those that the command announced`
      : `the source has ${present} rows, and the command announced ${then}`,
  );
}
