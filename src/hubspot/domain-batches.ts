import { toComparable } from './hubspot-record.ts';

/** HubSpot's limits of a search: values of an `IN` filter, and characters of the body. */
const VALUES_PER_FILTER = 100;
const CHARACTERS_PER_BODY = 3000;
/** The rest of the body, with the longest cursor. */
const CHARACTERS_AROUND = 300;

/** Distinct domains in lower case, in batches that fit into one search. */
export function toDomainBatches(domains: readonly string[], properties: readonly string[]): string[][] {
  const room = CHARACTERS_PER_BODY - CHARACTERS_AROUND - JSON.stringify(properties).length;
  const batches: string[][] = [];
  let batch: string[] = [];
  let characters = 0;
  for (const domain of new Set(domains.map((domain) => toComparable(domain)))) {
    const length = JSON.stringify(domain).length + 1;
    if (batch.length > 0 && (batch.length === VALUES_PER_FILTER || characters + length > room)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(domain);
    characters += length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
