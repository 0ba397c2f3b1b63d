import * as fc from 'fast-check';
import { companyFields as companyNames } from '../../../src/service/contract/company-fields.ts';
import { prospectFields as prospectNames } from '../../../src/service/contract/prospect-fields.ts';
import { slotStatuses } from '../../../src/service/contract/index.ts';
import { defaultRequestSettings } from '../../../src/service/contract/request-settings.ts';
import { toCompanyRowFromCrm } from '../../../src/companies/sources/enrichment-companies.ts';
import {
  tableFields,
  companyRowProblems,
  toCompanyRowFromFile,
} from '../../../src/companies/sources/table-companies.ts';
import { findSkipRule, defaultContactPolicy } from '../../../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { toChanges, toCompanyProperties, toContactProperties } from '../../../src/delivery/mapping/crm-properties.ts';
import { toCandidatesFromCrm, toCandidateFromRow } from '../../../src/companies/exclusions/exclusion-candidate.ts';
import { mergeEntries } from '../../../src/companies/exclusions/merge-candidates.ts';
import { coveredHashes, entryHash } from '../../../src/companies/exclusions/entry-identity.ts';
import { adoptionDomains, companyKey, contactKey } from '../../../src/ledger/identity.ts';
import { transforms } from '../../../src/delivery/mapping/transforms.ts';
import { comparableText, isSame, toPropertyText, toTimeText } from '../../../src/ledger/property-values.ts';
import { toSlotRows } from '../../../src/delivery/files/slot-rows.ts';
import { sourceFields } from '../../../src/base/spreadsheet/header-names.ts';
import { resolveColumns } from '../../../src/base/spreadsheet/source-columns.ts';
import { describeShape } from '../../../src/service/reading/describe-shape.ts';
import { detectShape } from '../../../src/service/reading/detect-shape.ts';
import { flattenRecord, readDottedPath } from '../../../src/service/reading/flatten-record.ts';
import { findMissingFields } from '../../../src/service/reading/missing-fields.ts';
import { findOrderIds } from '../../../src/service/reading/find-record.ts';
import { nothingCounted, defaultShape, noFieldSettings, shapeSchema } from '../../../src/service/reading/shape.ts';
import { suggestSettings } from '../../../src/service/reading/order-requests.ts';
import {
  readOrder,
  readProfileCreation,
  readResultsPage,
  describeKeys,
} from '../../../src/service/reading/read-answers.ts';
import { readError } from '../../../src/service/reading/read-error.ts';
import { createSlotReader, isSlot, splitName, createUnreadReader } from '../../../src/service/reading/read-slot.ts';
import { readCount, readText, readTime, readValue, type ScalarKind } from '../../../src/service/reading/read-value.ts';
import { boundTexts } from '../../../src/base/text/bound-text.ts';
import { toStorable } from '../../../src/base/text/storable.ts';
import { anyCharacter } from '../../helpers/random-text.ts';
import { runsOf } from '../../helpers/sample.ts';

type Json = Record<string, unknown>;

/** Keys that readers look for, and names of inherited properties. */
const keys = `
  order_id status results_published result_summary reasons features title created_at id profile_creation_id data
  order items total has_more summary pagination company input_position external_id reason_codes delivered_at
  prospects code message detail error errors loc field msg type kind value min max path source pointer
  requested_count fully_enriched_count annotated_count required_scopes user_scopes request_id __proto__
  constructor toString valueOf hasOwnProperty toJSON then length
`;
const names = [...keys.trim().split(/\s+/), ...Object.keys(companyNames), ...Object.keys(prospectNames), ''];
const words = [
  '',
  ' ',
  '-',
  'EMAIL',
  'a@b.example',
  'https://acme.example',
  '1.234,5',
  '10-50',
  'Dr. Anna von Abel',
  'true',
];

const text = fc.oneof(
  fc.constantFrom(...words, ...names, ...slotStatuses),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e308, 2 ** 53),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 4 }),
    recordOf(tie('json')),
  ),
}));

function recordOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Json> {
  const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: text });
  // Like JSON.parse, which creates a field `__proto__`.
  return fc.array(fc.tuple(key, value), { maxLength: 8 }).map((fields) => Object.fromEntries(fields));
}

const person = recordOf(json);
const company = fc
  .tuple(recordOf(json), fc.oneof(fc.array(person, { maxLength: 3 }), json))
  .map(([fields, prospects]): Json => ({ ...fields, prospects }));
const slot = fc
  .tuple(recordOf(json), fc.nat(), text, fc.oneof({ weight: 4, arbitrary: company }, { weight: 1, arbitrary: json }))
  .map(([fields, position, status, company]): Json => ({
    ...fields,
    input_position: position,
    status: `S${status}`,
    company,
  }));

const kinds: readonly ScalarKind[] = ['text', 'id', 'url', 'integer', 'number', 'boolean'];
const provenance = { order: { id: 'order', run: 'run', title: 'New companies' }, mappingVersion: '1' };
const settings = { numRuns: runsOf(300) };
/** Random data rarely contains these. */
const answers: [unknown, unknown][] = [
  [{ errors: [{ loc: [{ toString: 1, valueOf: 1 }] }] }, null],
  [{ errors: { loc: [{ kind: { toString: 1 }, value: 'x' }] } }, null],
  ['9'.repeat(400), null],
];
const address = 'www.'.repeat(20_000);
const slotExamples: [Json[]][] = [
  [[{ input_position: 0, status: 'ENRICHED', company: { name: 'x', website_url: address, domain: address } }]],
];

describe('readers of src/service/reading and src/delivery/mapping', () => {
  // Guarantee: No text from outside stops a worker
  it('accept any answer without an error', () => {
    fc.assert(
      fc.property(json, json, (answer, sent) => {
        const known = toStorable(answer)?.value;
        boundTexts(known);
        readOrder(known, 'id');
        readProfileCreation(known);
        readResultsPage(known, null);
        readResultsPage(known, 'items');
        describeKeys(known);
        shapeSchema.safeParse(known);
        const { fields, detail = '' } = readError(known, { sent, secret: 'secret' });
        expect(detail.length).toBeLessThan(10_000);
        suggestSettings(fields, defaultRequestSettings, { order_type: 'ENRICHMENT', companies: [] });
        findOrderIds({ answer: known, location: 'x', setting: 'order.id', sent: [] });
        for (const read of [readText, readTime, readCount]) read(known);
        // JSON would turn such a number into null.
        const values = kinds.map((kind) => readValue(kind, known));
        expect(values.filter((value) => typeof value === 'number' && !Number.isFinite(value))).toEqual([]);
        readDottedPath(known, 'errors.loc[kind=EMAIL].value');
      }),
      { ...settings, examples: answers },
    );
  });

  it('accept any slot, and throw only a TypeError for a value that is not a slot', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(slot, recordOf(json)), { maxLength: 4 }), (sample) => {
        const learnt = detectShape({ slots: sample, settings: noFieldSettings, previous: null });
        const again = detectShape({ slots: sample, settings: noFieldSettings, previous: learnt });
        describeShape(learnt, sample);
        const order = { shape: learnt, counts: { ...nothingCounted, enriched: 1 }, unusable: {}, unread: {} };
        findMissingFields({ order, settings: noFieldSettings, contactsOrdered: true, samples: sample });
        for (const shape of [learnt, again, defaultShape]) {
          const readUnread = createUnreadReader(shape);
          for (const raw of sample) {
            flattenRecord(raw);
            readUnread(raw);
            expect(errorOf(() => writeEverywhere(raw, shape))).toBe(isSlot(raw) ? null : 'TypeError');
          }
        }
      }),
      { ...settings, examples: slotExamples },
    );
  });

  it('accept any row of HubSpot and of files without an error', () => {
    const row = fc.record(Object.fromEntries(sourceFields.map((field) => [field, text])), { requiredKeys: [] });
    const properties = fc.record(
      { name: text, domain: text, website: text, city: text, country: text, hs_additional_domains: text },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(row, properties, fc.array(text), text, (values, record, headers, other) => {
        const fromRow = toCandidateFromRow(values, { reason: other, now: new Date() });
        const fromCrm = toCandidatesFromCrm({ id: '1', properties: record }, other);
        for (const { entry } of [fromRow, ...fromCrm]) {
          entryHash(entry);
          coveredHashes(entry);
          mergeEntries(entry, fromRow.entry);
        }
        companyRowProblems(toCompanyRowFromFile(values));
        const crmRow = toCompanyRowFromCrm({ id: '1', properties: record });
        if (crmRow !== null) companyRowProblems(crmRow);
        resolveColumns(headers, { fields: tableFields, settings: { company_name: other }, settingsPath: 'columns' });
        splitName(other);
        for (const { apply } of Object.values(transforms)) apply([other, ...headers]);
        toTimeText(other);
        comparableText(toPropertyText(other));
        expect(isSame(other, other)).toBe(true);
      }),
      settings,
    );
  });
});

function errorOf(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof Error ? error.name : 'no error';
  }
}

function writeEverywhere(raw: Json, shape: typeof defaultShape): void {
  const read = createSlotReader(shape)(raw);
  for (const mode of ['slot', 'prospect'] as const) {
    const known = {
      order: { id: 'order-1', run: 'weekly', title: 'New companies' },
      exclusion: null,
      companyRecordId: null,
      contactRecordIds: [],
    };
    toSlotRows(read, { mode, further: { Own: 'raw.company.__proto__', Name: 'raw.company.name' }, ...known });
  }
  if (read.company === null) return;
  adoptionDomains(read.company);
  companyKey(read.company);
  const wanted = toCompanyProperties(read, read.company, provenance, defaultMapping);
  toChanges(wanted, {}, () => false);
  for (const prospect of read.company.prospects ?? []) {
    contactKey(prospect, read.company);
    findSkipRule(prospect, defaultContactPolicy);
    toContactProperties({ slot: read, prospect, company: read.company }, provenance, defaultMapping);
  }
}
