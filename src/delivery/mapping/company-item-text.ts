/** Notes and tasks on the companies of rows with chosen reason codes. */
import type { Slot } from '../../service/contract/index.ts';
import { getOwnProperty } from '../../base/json/own-property.ts';
import type { CompanyTexts, CrmMapping } from './crm-plan.ts';
import { fillText } from './crm-properties.ts';
import type { OrderSource } from './source-paths.ts';
import { escapeHtml, taskDueMs, toOwner, toTaskProperties } from './task-content.ts';
import { cutText } from '../../ledger/property-values.ts';

export type CompanyItemKind = 'note' | 'task';

/** Length in characters. */
const longestNote = 10_000;

/** Number of items that an order created, in all its deliveries. */
export interface CreatedItems extends Readonly<Record<CompanyItemKind, number>> {
  /** Rows that get neither, because their company was not written to the CRM, by the reason code that has a text. */
  readonly unwritten: Readonly<Record<string, number>>;
}

/** The reason code by which a row gets a note or a task; null: none. */
export function toItemReason({ reason_codes: codes }: Slot, { companyNotes, companyTasks }: CrmMapping): string | null {
  const texts = { ...companyNotes, ...companyTasks };
  return codes.find((code) => getOwnProperty(texts, code) !== undefined) ?? null;
}

/** The text for a row; null: none of its reason codes has one, or its fields are empty. The first code that has one decides. */
export function toCompanyItem(
  kind: CompanyItemKind,
  slot: Slot,
  order: OrderSource,
  mapping: CrmMapping,
): string | null {
  const texts: CompanyTexts = (kind === 'note' ? mapping.companyNotes : mapping.companyTasks) ?? {};
  const template = slot.reason_codes.map((code) => getOwnProperty(texts, code)).find((text) => text !== undefined);
  if (template === undefined) return null;
  const text = fillText(template, { slot, company: slot.company, order }).trim();
  return text === '' ? null : text;
}

/** Shown in the text of an item: by it, a second attempt finds what the first one has created. */
export function toItemMarker(orderId: string, position: number): string {
  return `prospect-sync order ${orderId}, row ${position + 1}.`;
}

interface ItemFacts {
  readonly marker: string;
  readonly at: Date;
  /** Of the company; null: none. */
  readonly ownerId: string | null;
}

export function toItemProperties(kind: CompanyItemKind, text: string, { marker, at, ownerId }: ItemFacts) {
  if (kind === 'note') {
    const lines = escapeHtml(cutText(text, longestNote)).replaceAll(/\r?\n/g, '<br>');
    return { hs_timestamp: at.toISOString(), hs_note_body: `<p>${lines}</p><p>${marker}</p>`, ...toOwner(ownerId) };
  }
  return toTaskProperties({
    subject: text.replaceAll(/\s+/g, ' '),
    body: `<p>${marker}</p>`,
    dueAt: new Date(at.getTime() + taskDueMs).toISOString(),
    ownerId,
  });
}
