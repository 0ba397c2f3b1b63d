/** Values of mutations that are too long for a line of a table. */
const foreignId = '00000000-0000-4000-8000-000000000001';
const created_at = '2026-11-01T10:00:00.000000Z';
const noText = { website_url: null, city: null, country: null, external_id: null, reason: null };
const foreignBlacklist = {
  id: foreignId,
  name: 'A',
  description: null,
  entry_count: 0,
  created_at,
  updated_at: created_at,
};
const foreignEntry = { id: foreignId, company_name: 'A', ...noText, created_at };
const noSlots = { requested_count: 0, fully_enriched_count: 0, annotated_count: 0, reasons: [] };
const unpublished = { results_published: false, result_summary: null };

export const namedValues: Readonly<Record<string, unknown>> = {
  foreignId,
  foreignBlacklist,
  foreignEntry,
  noSlots,
  unpublished,
  foreignBlacklists: [foreignBlacklist],
  foreignCompany: { id: foreignId },
  otherBlacklist: { ...foreignBlacklist, id: '00000000-0000-4000-8000-000000000002' },
  unnamedBlacklist: { ...foreignBlacklist, name: '' },
  blacklistWithoutMicroseconds: { ...foreignBlacklist, created_at: '2026-11-01T10:00:00Z' },
  /** The id that the check of timestamps sends. */
  entryWithClientId: { ...foreignEntry, id: '11111111-1111-4111-8111-111111111111' },
  emptyEntries: { entries: [], total: 0, limit: 50, offset: 0 },
  emptyPage: { items: [], total: 0, has_more: false, summary: noSlots },
  unpublishedCompletion: { ...unpublished, status: 'COMPLETED' },
  failedCreation: { status: 'FAILED', profile_id: null, error_code: 'X', error_message: 'x' },
  succeededCreation: { status: 'SUCCEEDED', profile_id: foreignId, error_code: null, error_message: null },
  someReason: { reasons: [{ code: 'NO_EMAIL_FOUND', message: 'x', label: 'x', count: 1 }] },
  companiesWithRemovedField: [{ id: foreignId, prospects: [{ validation_confidence: 1 }] }],
  fault: { code: 'INTERNAL_ERROR', message: 'x' },
  forbidden: { code: 'AUTHORIZATION_ERROR', message: 'x', required_scopes: [], user_scopes: [] },
  invalidBody: { detail: [] },
  later: '2026-11-21T00:00:01.000000Z',
  longText: 'x'.repeat(200),
  noDigest: '0'.repeat(64),
};
