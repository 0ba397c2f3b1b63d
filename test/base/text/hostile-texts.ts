/** Runs in another process: applies every function that reads foreign texts to texts that make patterns backtrack, and prints each name first. */
import { detectShape } from '../../../src/service/reading/detect-shape.ts';
import { createRedactor } from '../../../src/service/reading/redact-text.ts';
import { describeForm } from '../../../src/service/reading/describe-shape.ts';
import { isEmpty, flattenRecord, candidateNamesOf } from '../../../src/service/reading/flatten-record.ts';
import { findOrderIds } from '../../../src/service/reading/find-record.ts';
import { suggestSettings } from '../../../src/service/reading/order-requests.ts';
import { readOrder } from '../../../src/service/reading/read-answers.ts';
import { readError } from '../../../src/service/reading/read-error.ts';
import { createSlotReader, splitName } from '../../../src/service/reading/read-slot.ts';
import { readTime, readValue, type ScalarKind } from '../../../src/service/reading/read-value.ts';
import { defaultShape, noFieldSettings } from '../../../src/service/reading/shape.ts';
import { defaultRequestSettings } from '../../../src/service/contract/request-settings.ts';
import { withRemedy } from '../../../src/base/failures/application-failure.ts';
import { toErrorFacts } from '../../../src/hubspot/error-facts.ts';
import { HubSpotError } from '../../../src/hubspot/hubspot-error.ts';
import { toEntryFromCrm } from '../../../src/companies/sources/blacklist-entry.ts';
import { companyKey } from '../../../src/ledger/identity.ts';
import { transforms } from '../../../src/delivery/mapping/transforms.ts';
import { comparableText, isSame } from '../../../src/ledger/property-values.ts';
import { toSlotRows } from '../../../src/delivery/files/slot-rows.ts';
import { fileAddress } from '../../../src/base/http/public-fetch.ts';
import { toHeaderKey } from '../../../src/base/text/header-key.ts';

const length = 100_000;
const kinds: readonly ScalarKind[] = ['text', 'id', 'url', 'integer', 'number', 'boolean'];
const service = new URL('https://service.example');

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  comparableText,
  isSame: (text) => isSame(text, 'x'),
  toErrorFacts: (message) => toErrorFacts({ message, errors: [{ message }] }),
  'toErrorFacts, values': (text) => toErrorFacts({ message: `Property values were not valid: ${text}` }),
  HubSpotError: (path) => new HubSpotError({ kind: 'http', method: 'GET', path }),
  withRemedy: (text) => withRemedy('Unexpected', text),
  isEmpty,
  readValue: (text) => kinds.map((kind) => readValue(kind, text)),
  readTime,
  splitName,
  describeForm,
  candidateNamesOf,
  leavesOf: (text) => flattenRecord({ a: text, [text]: text, c: [{ type: 'email', value: text }] }),
  createMask: (text) => createRedactor({ title: 'a title' }, 'secret')(text),
  'readError and proposeSettings': (text) => {
    const listed = { message: text, type: `https://${text}`, errors: [{ field: text, msg: text }], [text]: [text] };
    for (const body of [listed, { detail: `Not good: ${text}` }]) {
      const { fields } = readError(body, { sent: { a: text }, secret: 'secret' });
      suggestSettings(fields, defaultRequestSettings, { order_type: 'ENRICHMENT' });
    }
  },
  readOrder: (text) => readOrder({ order_id: text, status: text, features: [text], created_at: text }, 'id'),
  findOrderIds: (text) => findOrderIds({ answer: { id: text, [text]: text }, location: text, setting: text, sent: [] }),
  'learnShape and toSlotRows': (text) => {
    const person = { email: text, full_name: text, id: text, linkedin_url: text, other: text };
    const company = { domain: text, website_url: text, name: text, id: text, other: text, prospects: [person] };
    const raw = { input_position: 0, status: `x${text}`, delivered_at: text, reason_codes: [text], company };
    const shape = detectShape({ slots: [raw], settings: noFieldSettings, previous: null });
    for (const read of [createSlotReader(shape), createSlotReader(defaultShape)]) {
      const slot = read(raw);
      toSlotRows(slot, {
        mode: 'prospect',
        order: { id: 'order-1', run: 'weekly', title: 'New companies' },
        exclusion: null,
        companyRecordId: null,
        contactRecordIds: [],
      });
      if (slot.company !== null) companyKey(slot.company);
    }
  },
  toEntryFromCrm: (text) => toEntryFromCrm({ id: '1', properties: { name: text, domain: text, website: text } }, null),
  transforms: (text) => Object.values(transforms).map(({ apply }) => apply([text])),
  fileAddress: (text) => fileAddress(`https://${text}`, service, service),
  toHeaderKey,
};

const pumps = [
  '0',
  '10',
  ' ',
  '\n',
  'a',
  'A',
  'Aa ',
  'a_',
  'A_',
  'a-',
  '-',
  '_',
  '.',
  'a.',
  '1.',
  'www.',
  '@',
  'a@',
  '/',
  ':',
  '[',
  'a[',
  '[=',
  '=',
  '"',
  '"a',
  "'",
  'T',
  '–',
  'ß',
  '\u0300\u0323',
  '漢字',
  'by non-unique ',
  'Property values were not valid: [',
  'Existing ID: ',
  '?',
  '#',
  '(',
  '{"a":',
  ';',
  ',',
];
const beginnings = ['1.', '"a'];
const ends = ['', '\n!'];

for (const [name, read] of Object.entries(readers)) {
  process.stdout.write(`${name}\n`);
  for (const pump of pumps) {
    const middle = pump.repeat(length / pump.length);
    for (const beginning of beginnings) for (const end of ends) read(`${beginning}${middle}${end}`);
  }
}
process.stdout.write('done\n');
