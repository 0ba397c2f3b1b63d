/** Fetches the website texts of the companies of an order, and writes one Markdown file for each. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { domainToASCII } from 'node:url';
import { stringify } from 'yaml';
import { partsOf } from '../../ledger/stored-slot.ts';
import type { StoredWebsite } from '../../ledger/website-store.ts';
import { fileDigest, writeWholeFile } from '../../base/spreadsheet/whole-file.ts';
import {
  fetchWebsite,
  readWebsiteCompanies,
  type DeliveredCompany,
  type WebsiteDependencies,
} from './fetch-websites.ts';

interface OrderWebsites {
  readonly orderId: string;
  readonly total: number;
  readonly prospectSearchId: string;
  /** Folder of the files. */
  readonly directory: string;
}

export interface WebsitesReport {
  readonly directory: string;
  /** Files that are there. */
  readonly files: number;
  /** Of them, fetched by this command; the others were in the ledger. */
  readonly fetched: number;
  /** Positions of companies for which the service has no text, or not yet. */
  readonly without: readonly number[];
}

const slotsPerBatch = 500;

/** Can be repeated: a text that the ledger has is not fetched again, and a file that is as it should be is left. */
export async function writeWebsites(dependencies: WebsiteDependencies, order: OrderWebsites): Promise<WebsitesReport> {
  const { ledger, signal } = dependencies;
  const without: number[] = [];
  let [files, fetched] = [0, 0];
  for (const range of partsOf({ from: 0, to: order.total }, slotsPerBatch)) {
    const known = new Map((await ledger.websites.read(order.orderId, range)).map((site) => [site.position, site]));
    for (const company of await readWebsiteCompanies(ledger, order.orderId, range)) {
      signal.throwIfAborted();
      const stored = known.get(company.position);
      const isKnown = stored !== undefined && (stored.markdown !== null || stored.erasedAt !== null);
      // The service may have a text now that it did not have before.
      const website = isKnown ? stored : await fetchWebsite(dependencies, order, company);
      if (website.markdown !== null) {
        await writeWebsite(dependencies, order, company, website);
        files += 1;
        if (!isKnown) fetched += 1;
      } else if (website.erasedAt === null) without.push(company.position);
    }
  }
  return { directory: order.directory, files, fetched, without };
}

async function writeWebsite(
  { ledger, signal }: WebsiteDependencies,
  { orderId, directory }: OrderWebsites,
  company: DeliveredCompany,
  website: StoredWebsite,
): Promise<void> {
  const file = path.join(directory, toWebsiteFileName(company.position, company.domain));
  const content = toMarkdownFile(orderId, company, website);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const isKnown = website.path === file && website.sha256 === sha256;
  // Before the file is written, so that an erasure finds it.
  if (!isKnown) await ledger.websites.saveFile(orderId, company.position, { path: file, sha256 });
  if ((await fileDigest(file)) !== sha256)
    await writeWholeFile({ path: file, signal }, (growing) => growing.append(content));
  const [current] = await ledger.websites.read(orderId, { from: company.position, to: company.position + 1 });
  // The company was forgotten meanwhile.
  if (current?.erasedAt != null) await rm(file, { force: true });
}

/** `0001-acme.example.md`: unique by the number of the row. A domain from the service must not lead out of the folder. */
export function toWebsiteFileName(position: number, domain: string): string {
  const safe = (domainToASCII(domain) || domain).toLowerCase().replaceAll(/[^a-z0-9-]{2,}|[^a-z0-9.-]/g, '-');
  const [name = ''] = /[a-z0-9](?:.*[a-z0-9])?/.exec(safe.slice(0, 100)) ?? [];
  return `${[String(position + 1).padStart(4, '0'), ...(name === '' ? [] : [name])].join('-')}.md`;
}

/** The provenance as YAML front matter, then the text as the service has returned it. */
function toMarkdownFile(
  orderId: string,
  { position, name, domain, companyId }: DeliveredCompany,
  website: StoredWebsite,
) {
  const { markdown, observedAt, urls, fingerprint, fetchedAt } = website;
  const provenance = {
    order_id: orderId,
    row: position + 1,
    company_id: companyId,
    company: name,
    domain,
    observed_at: observedAt,
    urls,
    content_fingerprint: fingerprint,
    fetched_at: fetchedAt,
  };
  return `---\n${stringify(provenance)}---\n\n${markdown ?? ''}`;
}
