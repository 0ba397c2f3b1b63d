import { createHash } from 'node:crypto';
import type { Company } from '../../src/service/contract/index.ts';
import { hashText } from '../deterministic-values.ts';
import { toTimestamp } from '../timestamp.ts';

interface WebsiteMarkdown {
  readonly markdown: string;
  readonly observed_at: string;
  readonly urls: readonly string[];
  readonly content_fingerprint: string;
}

const hour = 3_600_000;

/** The simulated crawl of a company's website, the same text with every call. */
export function createWebsiteMarkdown(company: Company, deliveredAt: string): WebsiteMarkdown {
  const site = originOf(company);
  const urls = ['/', '/about', '/contact'].map((path) => `${site}${path}`);
  const markdown = [
    `# ${company.name}`,
    '',
    company.description,
    '',
    '## About',
    '',
    `${company.name} was founded in ${company.founded_year} and has ${company.employee_count} employees.`,
    '',
    `- Industry: ${company.industry}`,
    `- Location: ${company.city}, ${company.country}`,
    '',
    '## Contact',
    '',
    `${company.street}, ${company.postal_code} ${company.city}`,
    ...(company.phone ? ['', `Telephone: ${company.phone}`] : []),
    ...(company.email ? ['', `Email: <${company.email}>`] : []),
    '',
  ].join('\n');
  return {
    markdown,
    observed_at: toTimestamp(Date.parse(deliveredAt) - (1 + (hashText(company.id ?? '') % 72)) * hour),
    urls,
    content_fingerprint: createHash('sha256').update(markdown).digest('hex'),
  };
}

/** Submitted addresses may begin with `www.` without a scheme. */
function originOf({ website_url, domain }: Company): string {
  const address = website_url ?? `https://${domain}`;
  return URL.parse(address.replace(/^www\./i, 'https://www.'))?.origin ?? `https://${domain}`;
}
