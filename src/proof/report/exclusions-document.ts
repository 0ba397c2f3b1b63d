/** The documents that `--json` prints about exclusions. */
import type { ExclusionsReport, Rename } from './order-report.ts';
import { roundSeconds } from '../../base/text/format-time.ts';
import type { FileReading } from '../../ledger/draft-source.ts';
import { toRowNotesDocument } from './source-document.ts';

/** Figures of one exclusion. `blacklistId`: null where a sync would create the blacklist. */
export type ExclusionFigures = Omit<ExclusionsReport, 'blacklistId'> & {
  readonly blacklistId: string | null;
  /** The next three of a preview only. `deletedId`: absent where the service has the blacklist of the last sync. */
  readonly deletedId?: string;
  /** Absent where the blacklist keeps its name. */
  readonly rename?: Rename;
  readonly files?: readonly (FileReading & { readonly kind: 'csv' | 'xlsx' })[];
};

/** It contains no company names. */
export function toExclusionDocument(figures: ExclusionFigures) {
  const { blacklistId, pending, corrections, coverage, files, deletedId, emptySources, ...others } = figures;
  const { settings: _settings, ...counts } = others;
  return {
    blacklist_id: blacklistId,
    ...counts,
    ...(deletedId !== undefined && { deleted_blacklist_id: deletedId }),
    ...(emptySources && { empty_sources: emptySources }),
    ...(files && {
      files: files.map(({ kind, columns, sheets }) => {
        const { used, ignored, hidden } = columns;
        const read = { columns_used: used, columns_ignored: ignored, ...(hidden && { columns_hidden: hidden }) };
        return { kind, ...(sheets && { sheets }), ...read };
      }),
    }),
    pending: pending && {
      digest: pending.digest,
      entries: pending.entries,
      because: pending.because,
      shrunk_sources: pending.shrunkSources,
    },
    corrections: {
      completed_urls: corrections.completedUrls,
      shared_domains: corrections.sharedDomains,
      duplicates: corrections.duplicates,
      expired: corrections.expired,
      ...(corrections.replaced === undefined ? {} : { replaced: corrections.replaced }),
      ...(corrections.cleaned === undefined ? {} : { cleaned: corrections.cleaned }),
      ...(corrections.invalidWebsites === undefined ? {} : { invalid_websites: corrections.invalidWebsites }),
      ...(corrections.placeholders === undefined ? {} : { placeholders: corrections.placeholders }),
      ...(corrections.doubtfulRecords && { doubtful_records: corrections.doubtfulRecords }),
      ...toRowNotesDocument(corrections),
    },
    coverage: {
      external_id: coverage.externalId,
      website_domain: coverage.domain,
      name_and_city: coverage.nameAndCity,
      name_only: coverage.nameOnly,
    },
  };
}

interface SyncSummary {
  readonly seconds: number;
  readonly uiUrl: string | null;
  readonly result: ExclusionsReport;
}

/** Printed by `exclusions sync` and `exclusions approve`. */
export function toSyncDocument({ seconds, uiUrl, result }: SyncSummary) {
  return {
    ok: result.pending === null,
    seconds: roundSeconds(seconds),
    temporal_ui: uiUrl,
    exclusions: [toExclusionDocument(result)],
  };
}

interface PreviewedFigures extends ExclusionFigures {
  /** Entries of the blacklist now. */
  readonly present: number;
  readonly isProposed: boolean;
}

interface ExclusionPreviews {
  readonly previews: readonly PreviewedFigures[];
  readonly file: { readonly path: string } | null;
}

/** Printed by `exclusions preview`. */
export function toExclusionsPreviewDocument({ previews, file }: ExclusionPreviews) {
  return {
    exclusions: previews.map(({ present, isProposed, ...figures }) => ({
      ...toExclusionDocument(figures),
      present,
      is_proposed: isProposed,
    })),
    file: file?.path ?? null,
  };
}
