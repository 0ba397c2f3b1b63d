/** Finds enrichments whose companies come from the file of an exclusion. */
import { realpathSync } from 'node:fs';
import type { ExclusionsConfig } from './exclusion-settings.ts';
import type { CompaniesSource } from './enrichment-source-settings.ts';

/** Names of the exclusions that read the file of the companies, also by another path to it. */
export function findExclusionsOfFile(
  companies: CompaniesSource | null,
  exclusions: Readonly<Record<string, ExclusionsConfig>>,
): string[] {
  if (companies === null || !('path' in companies)) return [];
  const file = toRealPath(companies.path);
  return Object.entries(exclusions).flatMap(([name, { source }]) =>
    [source.csv, source.xlsx].some((excluded) => excluded !== null && toRealPath(excluded) === file) ? [name] : [],
  );
}

/** A missing file keeps its path. */
function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
