/** The certificate of an order: what a reconciliation compared, and the figures that it found. It has digests and counts, no personal data. */
import { z } from 'zod';

export const certificateFormat = 'prospect-sync/certificate/1';

const count = z.int().min(0);
const counts = z.record(z.string(), count);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits');
const time = z.iso.datetime();
const text = z.string().max(2_000);

const orderSchema = z.object({
  id: z.guid().describe('Id of the order in the service'),
  kind: text.describe('`discovery` or `enrichment`'),
  status: text.describe('Status of the order when it was collected'),
  profile_id: text.nullable().describe('Search profile of the order; null when unknown'),
  ordered: count.describe('Ordered companies; 0 when unknown'),
  features: z.array(text).nullable().describe('Ordered features; null when unknown'),
});

const runSchema = z.object({
  name: text.nullable().describe('Configured run that placed the order; null when unknown'),
  workflow_id: text.describe('Workflow that reconciled the order'),
  run_id: text.describe('Execution of that workflow'),
});

const programSchema = z.object({
  name: z.literal('prospect-sync').describe('The program that reconciled the order'),
  version: text.describe('Its version'),
});

const submittedSchema = z.object({
  rows: count.describe('Submitted rows'),
  digest: sha256.describe('SHA-256 over the digests of the rows in order'),
});

const readingSchema = z.object({
  slots: count.describe('Slots that were read'),
  digest: sha256.describe('SHA-256 over the digests of the slots in order of position'),
});

const readingsSchema = z.object({
  first: readingSchema.describe('The slots as they were collected into the ledger'),
  second: readingSchema.describe('The slots as the reconciliation read them again from the service'),
  equal: count.describe('Positions whose slot has the same digest in both readings'),
});

const blacklistSchema = z.object({
  blacklist_id: text.describe('Id of the blacklist in the service'),
  digest: sha256.describe('SHA-256 of its entries when the order was placed'),
  ordered_at: time.describe('When they were read'),
});

const slotsSchema = z.object({
  total: count.describe('Published slots'),
  reconciled: count.describe('Slots without a finding'),
  by_status: counts.describe('Slots by status'),
  by_reason: counts.describe('Slots by reason code; a slot may have several'),
});

const checkSchema = z.object({
  code: text.describe('Code of the finding when the numbers differ'),
  expected_from: text.describe('Source of the expected number'),
  expected: count.describe('Number by that source'),
  found_in: text.describe('Source of the other number'),
  found: count.describe('Number by that source'),
});

const deliverySchema = z.object({
  hubspot: z.boolean().describe('Whether records were to be written to HubSpot'),
  files: z.array(text).describe('Files that were to be written: `csv`, `xlsx`'),
  service_outputs: z.array(text).describe('Outputs that were to be requested from the service'),
  record_ids: z.boolean().describe('Whether the external ids of submitted rows are HubSpot record ids'),
  min_delivered_percent: z.number().nullable().describe('`expect.min_delivered` of the run; null without it'),
  max_without_people_percent: z.number().nullable().describe('`expect.max_without_people` of the run; null without it'),
});

const hubspotSchema = z.object({
  companies: counts.describe('Companies of slots by outcome'),
  contacts: counts.describe('Contacts of slots by outcome'),
  rules: counts.describe('Companies and contacts by the rule that skipped, quarantined or failed them'),
});

const fileSchema = z.object({
  kind: text.describe('`csv`, `xlsx`, or `leaks`: evidence of returned companies that a blacklist names'),
  name: text.describe('Name of the file, without its folder'),
  row_per: z.enum(['slot', 'prospect']).nullable().describe('What one row stands for; null when unknown'),
  rows: count.describe('Rows without the header'),
  bytes: count.describe('Size of the file'),
  sha256: sha256.describe('SHA-256 of the file when it was written'),
  written_at: time.describe('When it was written'),
});

const serviceOutputSchema = z.object({
  destination: text.describe('Type, language and spreadsheet'),
  name: text.nullable().describe('Name of the file, without its folder; null without a file'),
  state: text.describe('`delivered`, or why there is no file'),
  result_count: count.nullable().describe('Rows that the service reports'),
  rows: count.nullable().describe('Rows that were counted in the file'),
  result_sha256: text.nullable().describe('Digest that the service reports'),
  file_sha256: sha256.nullable().describe('SHA-256 of the downloaded file'),
});

const outcomesSchema = z.object({
  hubspot: hubspotSchema.nullable().describe('null when nothing was written to HubSpot'),
  // `verify` reads each of them.
  files: z.array(fileSchema).max(20).describe('Files that prospect-sync wrote'),
  service_outputs: z.array(serviceOutputSchema).max(20).describe('Files and spreadsheets that the service made'),
});

const leaksSchema = z.object({
  leak: count.describe('Returned although listed when the order was placed'),
  late: count.describe('Listed after that time'),
  weak: count.describe('Listed by the same name only'),
});

const readBackSchema = z.object({
  records: count.describe('Records that prospect-sync wrote, according to the ledger'),
  equal: count.describe('Records with all written values'),
  edited: count.describe('Records with values that a user or another app changed later'),
  missing: count.describe('Records that were not found'),
  merged: count.describe('Records that were found under another id after a merge'),
  archived: count.describe('Records that were archived'),
  wrong: count.describe(
    'Records whose value differs from what prospect-sync wrote, without a later edit or in a property of prospect-sync',
  ),
  unknown: count.describe('Records whose written values the ledger does not have'),
  properties: z
    .object({ edited: counts, wrong: counts })
    .describe('Records with a different value, by property: edited later, or wrong'),
  items: z
    .record(z.string(), z.object({ written: count, gone: count }))
    .describe('Notes, tasks and list members that the order created, and how many of each HubSpot no longer has'),
  sampled: count.nullable().describe('Number of slots whose records were read; null: all'),
});

const driftSchema = z.object({
  operation: text.describe('Operation of the service'),
  kind: text.describe('`field`, `type`, `code`, `version` or `missing`'),
  path: text.describe('Path of the field in the answer'),
  detail: text.describe('The part of the answer that the specification does not contain'),
  first_seen_at: time.describe('When an answer first had it'),
});

const findingSchema = z.object({
  code: text.describe('Code of the finding, see troubleshooting.md'),
  count: count.describe('Slots, records or rows concerned'),
  positions: z.array(count).max(10).describe('The first positions concerned'),
});

const timesSchema = z.object({
  requested_at: time.nullable().describe('When the request was stored that placed the order; null when unknown'),
  first_stored_at: time.nullable().describe('When the ledger first stored the order'),
  published_at: time.nullable().describe('When the results were published; null when unknown'),
  changed: z
    .record(z.string(), time)
    .describe('When each table of the ledger last stored something of the delivery of the order, or of its erasure'),
  reconciled_at: time.describe('When this certificate was made'),
});

/** Further members are not read, but the signature covers them. */
export const certificateSchema = z.object({
  format: z.literal(certificateFormat).describe('Format of this document'),
  order: orderSchema.describe('The order'),
  run: runSchema.describe('The run and the workflow of the order'),
  program: programSchema.describe('The program that reconciled the order'),
  mapping_versions: z.array(text).describe('Mappings with which records were written to HubSpot'),
  submitted: submittedSchema.nullable().describe('null for an order without submitted rows, or when they are unknown'),
  readings: readingsSchema.describe('Digests of the published slots'),
  blacklists: z.array(blacklistSchema).describe('Blacklists of the order, as they were when it was placed'),
  slots: slotsSchema.describe('Counts of the slots in the ledger'),
  checks: z.array(checkSchema).describe('Every comparison of two sources, with both numbers'),
  delivery: deliverySchema.nullable().describe('What the order was to be delivered to; null when unknown'),
  outcomes: outcomesSchema.describe('Outcomes in every sink'),
  leaks: leaksSchema.nullable().describe('Returned companies that a blacklist names; null without blacklists'),
  read_back: readBackSchema
    .nullable()
    .describe('What was read back from HubSpot; null when it was not read field by field'),
  drift: z
    .array(driftSchema)
    .nullable()
    .describe('How answers differ from the specification; null when it could not be read'),
  findings: z.array(findingSchema).describe('What is not as it should be'),
  times: timesSchema.describe('Times of the order'),
});

/** A certificate without its signature. */
export type CertificateDocument = z.infer<typeof certificateSchema>;
