/** Exclusions: what was read from where and when, removals that wait for approval, and the entries of each blacklist with their reasons. */
import { html } from 'hono/html';
import { z } from 'zod';
import { parseEntry, type FrozenEntry } from '../ledger/blacklist-store.ts';
import type { LastScan, PendingRemovalsRow } from '../ledger/exclusion-history.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { toButton } from './action-pages.ts';
import { person, shown, table, time, toQuery, type Markup, type Page } from './layout.ts';

const entriesShown = 50;
const countsSchema = z.record(z.string(), z.number());

export async function exclusionsPage(ledger: Ledger, isActing: boolean): Promise<Page> {
  const scans = await ledger.exclusionScans.list();
  const pending = (await ledger.exclusionRemovals.listPending()).filter(({ approvedAt }) => approvedAt === null);
  const body = html`
    ${pending.map((removals) => toPending(removals, isActing))}
    ${
      scans.length === 0
        ? html`<p>No exclusion was synced yet. See <code>prospect-sync exclusions preview</code>.</p>`
        : table(
            'Exclusions',
            ['Exclusion', 'Last sync', 'Last full scan', 'Companies by source', ...(isActing ? ['Actions'] : [])],
            scans.map((scan) => toRow(scan, isActing)),
          )
    }
    <p>To see whether a company is excluded, and why, search for its domain or its name above.</p>
  `;
  return { title: 'Exclusions', body };
}

function toPending({ exclusion, entries, digest, foundAt }: PendingRemovalsRow, isActing: boolean): Markup {
  const text = `${entries} removals from exclusion ${exclusion}`;
  return html`<section class="needs" aria-label="Removals">
    <p>
      ${shown(text)} wait for approval since ${time(foundAt)}. To see why, and all of them in a file:
      <code>prospect-sync exclusions preview ${shown(exclusion)} --out FILE.csv</code>
    </p>
    ${isActing ? html`${toButton({ name: 'difference', subject: exclusion }, 'Show why')} ${toButton({ name: 'approve', subject: digest }, `Approve ${text}`)}` : ''}
  </section>`;
}

function toRow({ name, blacklistId, lastScanAt, lastFullAt, countsJson }: LastScan, isActing: boolean): Markup {
  const counts = Object.entries(countsSchema.parse(JSON.parse(countsJson)));
  return html`<tr>
    <td><a href="/exclusions/${encodeURIComponent(blacklistId)}">${shown(name)}</a></td>
    <td>${time(lastScanAt)}</td>
    <td>${time(lastFullAt)}</td>
    <td>
      <ul>
        ${counts.map(([source, count]) => html`<li>${shown(source)}: ${count}</li>`)}
      </ul>
    </td>
    ${isActing ? html`<td>${toButton({ name: 'sync', subject: name }, `Sync ${name} now`)}</td>` : ''}
  </tr>`;
}

/** Entries of snapshots that were taken before orders. `after`: the last entry of the page before. */
export async function entriesPage(ledger: Ledger, blacklistId: string, after: string): Promise<Page | null> {
  const names = await ledger.exclusionScans.usersOf(blacklistId);
  const found = await ledger.exclusionSnapshots.page(blacklistId, { after, limit: entriesShown + 1 });
  if (names.length === 0 && found.length === 0) return null;
  const entries = found.slice(0, entriesShown);
  const next = found.length > entriesShown ? (entries.at(-1)?.entryId ?? null) : null;
  const address = `/exclusions/${encodeURIComponent(blacklistId)}`;
  const body = html`
    <p>Entries that the blacklist had when an order was placed. <a href="/exclusions">All exclusions</a></p>
    ${
      entries.length === 0
        ? html`<p>None yet: entries are kept when an order is placed.</p>`
        : table('Entries', ['Company', 'Website', 'City', 'Reason', 'Added', 'Last seen'], entries.map(toEntryRow))
    }
    ${next === null ? '' : html`<p class="pages"><a href="${address}${toQuery({ after: next })}">Next entries</a></p>`}
  `;
  return { title: `Exclusion ${names.join(', ') || blacklistId}`, body };
}

function toEntryRow({ json, lastSeenAt }: FrozenEntry): Markup {
  const { company_name: name, website_url: website, city, reason, created_at: addedAt } = parseEntry(json);
  return html`<tr>
    <td><a href="/why${toQuery({ q: website ?? name })}">${shown(name)}</a></td>
    <td>${shown(website)}</td>
    <td>${shown(city)}</td>
    <td>${person(reason)}</td>
    <td>${time(addedAt)}</td>
    <td>${time(lastSeenAt)}</td>
  </tr>`;
}
