/** What `reconcile --differences` prints: each differing value. It contains personal data. */
import { shorten } from '../../base/text/bound-text.ts';
import { toPrintable } from '../../base/text/printable-text.ts';
import { singularOf } from '../../hubspot/hubspot-record.ts';
import type { FindingDetail, SlotFinding } from '../../proof/checks/slot-findings.ts';

export function toDifferencesDocument(differences: readonly SlotFinding[]) {
  return differences.flatMap(({ code, position, details = [] }) =>
    orNone(details).map((detail) => ({
      finding: code,
      position,
      object: detail?.record?.object ?? null,
      record_id: detail?.record?.id ?? null,
      property: detail?.property ?? null,
      written: detail?.written ?? null,
      present: detail?.present ?? null,
      by: detail?.by ?? null,
      at: detail?.at ?? null,
    })),
  );
}

export function toDifferenceLines(differences: readonly SlotFinding[]): string[] {
  const lines = differences.flatMap(({ code, position, details = [] }) =>
    orNone(details).map((detail) => `at ${position}  ${code}${detail === null ? '' : `  ${toDetailText(detail)}`}`),
  );
  return (lines.length === 0 ? ['none'] : lines).map(
    (line, index) => `  ${(index === 0 ? 'differs' : '').padEnd(10)} ${toPrintable(line)}`,
  );
}

/** A finding without details has one line, too. */
function orNone(details: readonly FindingDetail[]): readonly (FindingDetail | null)[] {
  return details.length === 0 ? [null] : details;
}

function toDetailText({ record, property, written, present, by, at }: FindingDetail): string {
  const subject = record === null ? 'slot' : `${singularOf[record.object]} ${record.id}`;
  if (property === null) return subject;
  const writer = by === null ? '' : `, by ${by}${at === null ? '' : ` at ${at}`}`;
  return `${subject}  ${property}: written ${toValue(written)}, now ${toValue(present)}${writer}`;
}

const longestValue = 200;

function toValue(value: string | null): string {
  return value === null ? 'nothing' : JSON.stringify(shorten(value, longestValue));
}
