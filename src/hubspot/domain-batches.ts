import { toComparable } from './hubspot-record.ts';

/** HubSpot's bounds of one search: values in an `IN`, and characters of the whole body. */
const VALUES_PER_FILTER = 100;
const CHARACTERS_PER_BODY = 3000;
/** Everything around the values and property names, with the cursor of the longest id. */
const CHARACTERS_AROUND = 300;

/** Distinct domains in lower case, in pieces that one search can ask for. */
export function toDomainBatches(domains: readonly string[], properties: readonly string[]): string[][] {
  const room = CHARACTERS_PER_BODY - CHARACTERS_AROUND - JSON.stringify(properties).length;
  const chunks: string[][] = [];
  let chunk: string[] = [];
  let characters = 0;
  for (const domain of new Set(domains.map((domain) => toComparable(domain)))) {
    const length = JSON.stringify(domain).length + 1;
    if (chunk.length > 0 && (chunk.length === VALUES_PER_FILTER || characters + length > room)) {
      chunks.push(chunk);
      chunk = [];
      characters = 0;
    }
    chunk.push(domain);
    characters += length;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}
