/** Finds forgotten people in the rows of a user's file, of which no column is known but those that were submitted. */
import { parseJsonWithinLimits } from '../../base/json/json-limits.ts';
import { domainsOf, toNameIdentifier, type IdentifierTest } from './identifiers.ts';
import { jsonNamesForgotten } from './redact-slot.ts';

/** Longer cells are no names. */
const longestName = 100;
/** Of one row, which names one company. */
const mostDomains = 4;

/**
 * True when the cells contain a forgotten address, profile or host, or a full name, in one cell or in two neighbouring ones, together with
 * the domain of the company. @param json the submitted part of the row, if there is one
 */
export function cellsNameForgotten(ownJson: string, json: string | null, test: IdentifierTest): boolean {
  if (jsonNamesForgotten(ownJson, test)) return true;
  const cells = textsIn(ownJson).map((text) => text.trim());
  const hosts = [...cells, ...(json === null ? [] : textsIn(json))].flatMap((text) => domainsOf(text).slice(0, 1));
  const domains = [...new Set(hosts)].slice(0, mostDomains);
  if (domains.length === 0) return false;
  return fullNamesIn(cells).some((name) => domains.some((domain) => test(toNameIdentifier(name, domain))));
}

function fullNamesIn(cells: readonly string[]): string[] {
  return cells.flatMap((cell, index) => {
    const next = cells[index + 1] ?? '';
    const isPair = cell !== '' && next !== '' && cell.length + next.length < longestName;
    return [
      ...(cell.includes(' ') && cell.length <= longestName ? [cell] : []),
      ...(isPair ? [`${cell} ${next}`, `${next} ${cell}`] : []),
    ];
  });
}

/** The texts of a list of cells, or of a flat record. */
function textsIn(json: string): string[] {
  const value = parseJsonWithinLimits(json);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((text) => typeof text === 'string');
}
