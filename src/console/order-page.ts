/** One order: is it proved, what did it bring, why not everything, and what was written. */
import { html } from 'hono/html';
import { outcomeNames, type OutcomeTally } from '../ledger/crm-outcomes.ts';
import type { CertificateRow } from '../ledger/certificate-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OrderRow } from '../ledger/order-store.ts';
import { findRemedy } from '../proof/report/finding-descriptions.ts';
import { isKnownReasonCode, reasonCodes } from '../service/contract/index.ts';
import { toButton } from './action-pages.ts';
import { shown, table, time, toQuery, type Markup, type Page } from './layout.ts';

/** `isActing`: the page has buttons, and shows the progress of an order that is not delivered yet. */
export async function orderPage(ledger: Ledger, orderId: string, isActing: boolean): Promise<Page | null> {
  const order = await ledger.orders.get(orderId);
  if (order === undefined) return null;
  const certificate = await ledger.certificates.latest(orderId);
  const findings = (await ledger.certificates.findingsOf([orderId])).get(orderId) ?? [];
  const byStatus = await ledger.slots.countByStatus(orderId);
  const byReason = await ledger.slots.countByReason(orderId);
  const crm = await ledger.outcomes.keptTally(orderId);
  const leaks = await ledger.leaks.tally(orderId);
  const excluded = await ledger.excludedRows.count(orderId);
  const files = await ledger.files.list(orderId);
  const erased = await ledger.erasures.ofOrder(orderId);
  const bars = { orderId, total: Object.values(byStatus).reduce((sum, count) => sum + count, 0) };
  const body = html`
    <p>
      <small>${shown(order.kind)}, <code>${orderId}</code></small>
    </p>
    <p>${toProofText(order, certificate)}</p>
    ${isActing ? toActions(order, { crm, certificate, findings: findings.length }) : ''}
    ${erased === undefined ? '' : html`<p>Data of this order was erased: ${erased.scope} on ${time(erased.at)}.</p>`}
    ${
      findings.length === 0
        ? ''
        : html`<section class="needs" aria-label="Findings">
            <ul>
              ${findings.map(({ code, count }) => html`<li><strong>${shown(code)}</strong>: ${count}. ${toRemedy(code, orderId)}</li>`)}
            </ul>
          </section>`
    }
    <h2>What it brought</h2>
    <ol class="steps">
      ${toSteps(order, { excluded, crm, certificate })}
    </ol>
    <p><a href="/orders/${orderId}/rows">All rows</a> - <a href="/orders/${orderId}/changes">Changes in HubSpot</a></p>
    <h2>Why not everything</h2>
    ${toBars(byStatus, { ...bars, parameter: 'status', toText: (code) => code })}
    ${toBars(byReason, { ...bars, parameter: 'reason', toText: toReasonText })} ${toCrmTable(crm)}
    <h2>Exclusions</h2>
    <p>
      ${excluded === 0 ? '' : `${excluded} rows were left out before the order.`} Delivered although they were excluded:
      ${leaks.LEAK} companies; excluded only after the order: ${leaks.LATE}; with a name like an excluded one:
      ${leaks.WEAK}.
    </p>
    <h2>Files</h2>
    ${
      files.length === 0
        ? html`<p>None.</p>`
        : html`<ul>
            ${files.map(({ kind, path, rows }) => html`<li>${kind}: <code>${shown(path)}</code> (${rows} rows)</li>`)}
          </ul>`
    }
  `;
  return { title: toOrderTitle(order), body };
}

/** What a person may want to do now. */
function toActions(
  { orderId, total }: OrderRow,
  { crm, certificate, findings }: Pick<Steps, 'crm' | 'certificate'> & { readonly findings: number },
): Markup {
  if (certificate === undefined)
    return html`<div role="status" data-live="/progress/live${toQuery({ of: `order/${orderId}` })}"></div>
      ${toButton({ name: 'ingest', subject: orderId }, total === null ? 'Wait for the results and deliver them' : 'Deliver the order')}`;
  const open = [crm.companies, crm.contacts].reduce((sum, { quarantined, failed }) => sum + quarantined + failed, 0);
  return html`${open === 0 ? '' : toButton({ name: 'retry', subject: orderId }, `Write ${open} quarantined or failed records again`)}
  ${toButton({ name: 'reconcile', subject: orderId }, 'Prove it again')}
  ${findings === 0 ? '' : toButton({ name: 'repair', subject: orderId }, 'Write missing and wrong values again')}
  ${toButton({ name: 'preview', subject: orderId }, 'Preview what would be written now')}`;
}

/** The run and the beginning of the id; the whole id stands in the address. */
export function toOrderTitle({ orderId, runName }: Pick<OrderRow, 'orderId' | 'runName'>): string {
  return `${runName ?? 'no run'}, order ${orderId.slice(0, 8)}`;
}

function toProofText({ total, status }: OrderRow, certificate: CertificateRow | undefined): Markup {
  if (certificate !== undefined)
    return html`<strong>${certificate.reconciled === certificate.total ? 'Reconciled' : 'Not reconciled'}</strong>:
      ${certificate.reconciled} of ${certificate.total} rows, on ${time(certificate.at)}. Certificate:
      <code>${shown(certificate.path)}</code>`;
  return total === null
    ? html`In progress, last known status ${shown(status)}: no results were published yet.`
    : html`<strong>Not reconciled yet</strong>.`;
}

interface Steps {
  readonly excluded: number;
  readonly crm: { readonly companies: OutcomeTally; readonly contacts: OutcomeTally };
  readonly certificate: CertificateRow | undefined;
}

function toSteps({ requestedCount, total, delivered }: OrderRow, { excluded, crm, certificate }: Steps): Markup[] {
  const written = ({ created, updated, unchanged }: OutcomeTally) => created + updated + unchanged;
  return [
    ...(excluded === 0 ? [] : [html`<li>${excluded} left out by exclusions</li>`]),
    html`<li>${requestedCount} ordered</li>`,
    html`<li>${total ?? 'none'} returned</li>`,
    html`<li>${delivered ?? 'none'} delivered</li>`,
    html`<li>${written(crm.companies)} companies and ${written(crm.contacts)} contacts in HubSpot</li>`,
    html`<li>${certificate?.reconciled ?? 'none'} proved</li>`,
  ];
}

function toRemedy(code: string, orderId: string): string {
  return (findRemedy(code) ?? '').replaceAll(/\bORDER\b/g, orderId).replaceAll('`', '');
}

/** The words of the specification; a code that it does not name stands for itself. */
export function toReasonText(code: string): string {
  return isKnownReasonCode(code) ? reasonCodes[code].message : code;
}

interface Bars {
  readonly orderId: string;
  /** Number of all rows; a row can have several reasons. */
  readonly total: number;
  readonly parameter: 'status' | 'reason';
  readonly toText: (code: string) => string;
}

/** Each bar leads to its rows. */
function toBars(counts: Readonly<Record<string, number>>, { orderId, total, parameter, toText }: Bars): Markup {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return html``;
  const rows = entries.map(
    ([code, count]) =>
      html`<tr>
        <td><a href="/orders/${orderId}/rows${toQuery({ [parameter]: code })}">${shown(toText(code))}</a></td>
        <td class="number">${count}</td>
        <td><progress value="${count}" max="${total}" aria-label="${count} of ${total} rows"></progress></td>
      </tr>`,
  );
  return table(parameter, [parameter === 'status' ? 'Status' : 'Reason', '#Rows', 'Share'], rows);
}

function toCrmTable(crm: Steps['crm']): Markup {
  const rows = (['companies', 'contacts'] as const).map(
    (records) =>
      html`<tr>
        <td>${records}</td>
        ${outcomeNames.map((name) => html`<td class="number">${crm[records][name]}</td>`)}
      </tr>`,
  );
  return html`<h2>HubSpot</h2>
    ${table('Records', ['Records', ...outcomeNames.map((name) => `#${name}`)], rows)}`;
}
