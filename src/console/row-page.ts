/** One row of an order: as it was published, what it matched in HubSpot and why, and what was changed there. People are counted, not named. */
import { html } from 'hono/html';
import type { Ledger } from '../ledger/ledger.ts';
import type { OutcomeRow } from '../ledger/outcome-store.ts';
import { isErased } from '../base/json/erased-mark.ts';
import type { Slot } from '../service/contract/index.ts';
import { toValue } from './changes-page.ts';
import { toOrderTitle, toReasonText } from './order-page.ts';
import { toOutcome } from './rows-page.ts';
import { recordLink, shown, table, toQuery, type Markup, type Page } from './layout.ts';

const companyFields = {
  Name: 'name',
  Domain: 'domain',
  Website: 'website_url',
  Industry: 'industry',
  Employees: 'employee_count',
  City: 'city',
  Country: 'country',
  'Fit score': 'fit_score',
} as const;

export interface RowQuery {
  readonly orderId: string;
  readonly position: number;
  /** Portal of the records; null: without links. */
  readonly portalId: number | null;
}

export async function rowPage(ledger: Ledger, { orderId, position, portalId }: RowQuery): Promise<Page | null> {
  const range = { from: position, to: position + 1 };
  const order = await ledger.orders.get(orderId);
  const [parsed] = await ledger.slots.readParsed(orderId, range);
  if (order === undefined || parsed === undefined) return null;
  const { slot } = parsed;
  const outcomes = await ledger.outcomes.read(orderId, range);
  const draft = await ledger.drafts.ofOrder(orderId);
  const origin = draft === null ? undefined : (await ledger.drafts.origins(draft.draftId, range)).get(position);
  const company = outcomes.find(({ item }) => item === 'company');
  const changed =
    company?.recordId == null ? [] : await ledger.valueChanges.ofRecord(orderId, 'companies', company.recordId);
  const body = html`
    <p>
      <a href="/orders/${orderId}/rows${toQuery({ after: String(position - 1) })}">The rows</a>
      ${origin?.sourceRow == null ? '' : html`- row ${origin.sourceRow} of the source`}
    </p>
    <h2>${shown(slot.status)}</h2>
    <ul>
      ${slot.reason_codes.map((code) => html`<li><code>${shown(code)}</code> ${shown(toReasonText(code))}${toDetail(slot, code)}</li>`)}
    </ul>
    ${slot.duplicate_of_input_position == null ? '' : html`<p><a href="/orders/${orderId}/rows/${slot.duplicate_of_input_position}">The row that it repeats</a></p>`}
    ${toCompany(slot)}
    <h2>HubSpot</h2>
    ${
      outcomes.length === 0
        ? html`<p>Nothing was written.</p>`
        : html`<ul>
            ${outcomes.map((outcome) => toMatch(outcome, portalId))}
          </ul>`
    }
    ${
      changed.length === 0
        ? ''
        : table(
            'Changes',
            ['Property', 'Before', 'After'],
            changed.map(
              ({ property, before, after }) =>
                html`<tr>
                  <td>${shown(property)}</td>
                  <td>${toValue(before)}</td>
                  <td>${toValue(after)}</td>
                </tr>`,
            ),
          )
    }
  `;
  return { title: `Row ${position} of ${toOrderTitle(order)}`, body };
}

function toDetail({ reasons }: Slot, code: string): string {
  const detail = reasons.find((reason) => reason.code === code)?.detail;
  return detail == null || detail === '' ? '' : ` (${shown(detail)})`;
}

function toMatch(outcome: OutcomeRow, portalId: number | null): Markup {
  const object = outcome.item === 'company' ? 'companies' : 'contacts';
  const others = outcome.candidates.filter((id) => id !== outcome.recordId);
  return html`<li>
    ${toOutcome(outcome, portalId)}
    ${others.length === 0 ? '' : html`<br />candidates: ${others.map((id) => html`${recordLink(portalId, object, id)} `)}`}
  </li>`;
}

function toCompany({ company }: Slot): Markup {
  if (company === null || isErased(company)) return html`<p>Without a company.</p>`;
  const rows = Object.entries(companyFields).map(
    ([name, field]) =>
      html`<tr>
        <td>${name}</td>
        <td>${shown(company[field] == null ? '' : String(company[field]))}</td>
      </tr>`,
  );
  const known = company.domain ?? company.name ?? null;
  return html`${table('Company', ['Field', 'Published'], rows)}
    <p>
      ${company.prospects?.length ?? 0} people.
      <a href="/why${toQuery({ q: known })}">All that is known of the company, over all orders</a>
    </p>`;
}
