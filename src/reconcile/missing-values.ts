import type { Finding } from '../report/order-report.ts';
import type { OrderShape } from '../shape/order-shape.ts';

/** Contacts, names and addresses that no company of the order has. */
export function toMissingValueFindings(order: OrderShape | null, features: readonly string[] | null): Finding[] {
  if (order === null || order.counts.enriched === 0) return [];
  const { enriched, named, people, withEmail, withName } = order.counts;
  const contactsOrdered = features === null || features.includes('CONTACTS');
  const isAccepted = order.shape.company.prospects?.by === 'absent' && features !== null;
  const found = {
    people_missing: contactsOrdered && people === 0 && !isAccepted ? enriched : 0,
    company_names_missing: named === 0 ? enriched : 0,
    contact_addresses_missing: people > 0 && withEmail === 0 ? people : 0,
    contact_names_missing: people > 0 && withName === 0 ? people : 0,
  };
  return Object.entries(found).flatMap(([code, count]) => (count === 0 ? [] : [{ code, count, positions: [] }]));
}
