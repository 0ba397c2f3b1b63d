import {
  deliveries,
  inBody,
  onStatus,
  rows,
  websiteMarkdown,
  type Row,
  type BreachesByCheck,
} from '../breach-changes.ts';

const inContacts = (change: Row) =>
  inBody(({ companies }) => ({
    companies: rows(companies).map((company) => ({
      ...company,
      prospects: rows(company['prospects']).map((prospect) => ({ ...prospect, ...change })),
    })),
  }));

export const deliveryBreaches: BreachesByCheck = {
  'deliveries.contacts': [
    [
      'the companies of the newest order only',
      'companies: expected',
      'GET',
      deliveries,
      inBody(({ companies }) => ({ companies: rows(companies).slice(0, 3) })),
    ],
    [
      'companies without contacts',
      'the listing has no contacts',
      'GET',
      deliveries,
      inBody(({ companies }) => ({ companies: rows(companies).map((company) => ({ ...company, prospects: [] })) })),
    ],
    [
      'a contact that was not delivered',
      'quality of a contact',
      'GET',
      deliveries,
      inContacts({ email_client_deliverable: false }),
    ],
    [
      'a contact without its quality',
      'quality of a contact',
      'GET',
      deliveries,
      inContacts({ email_delivery_quality_reason: undefined }),
    ],
    [
      'a withdrawn field',
      'a contact carries bounce_risk_score',
      'GET',
      deliveries,
      inContacts({ bounce_risk_score: 1 }),
    ],
    [
      'a fingerprint of something else',
      'content_fingerprint',
      'GET',
      websiteMarkdown,
      inBody(() => ({ content_fingerprint: '0'.repeat(64) })),
    ],
    ['URLs that are none', 'urls must be URLs', 'GET', websiteMarkdown, inBody(() => ({ urls: ['acme'] }))],
    [
      'a company that was not delivered',
      'website-markdown: must answer 404',
      'GET',
      websiteMarkdown,
      onStatus(404, () => ({ status: 200, body: {} })),
    ],
  ],
};
