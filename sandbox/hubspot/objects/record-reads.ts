import type { CollectionResponseSimplePublicObjectWithAssociationsForwardPaging } from '@hubspot/api-client/lib/codegen/crm/companies/models/CollectionResponseSimplePublicObjectWithAssociationsForwardPaging.js';
import type { HonoRequest } from 'hono';
import { viewInlineLinks } from '../associations/inline-associations.ts';
import type { AssociationPair } from '../built-in/association-types.ts';
import { recordNotFound, validationError, notImplemented } from '../api-error.ts';
import type { Portal } from '../portal/portal.ts';
import { shuffled } from '../seeded-values.ts';
import { checkBatchSize, queryLimit, queryList, readBody } from '../request-bodies.ts';
import type { JsonOf } from '../json-model.ts';
import { answerBatch } from '../batch-response.ts';
import { batchLimit, missingRecords, requireUnique } from './batch-rows.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import type { StoredRecord } from '../portal/crm-record.ts';
import { viewRecord } from './record-view.ts';
import { batchReadSchema } from './write-bodies.ts';

type Page = JsonOf<CollectionResponseSimplePublicObjectWithAssociationsForwardPaging>;

const historyParameter = 'propertiesWithHistory';
/** Inputs of a batch that is read with history. */
const historyBatchLimit = 50;

/** `linked`: the object pairs of the query parameter `associations`. */
export function readRecord(
  portal: Portal,
  store: ObjectStore,
  request: HonoRequest,
  id: string,
  linked: readonly AssociationPair[],
): Response {
  const record = request.query('archived') === 'true' ? store.getArchived(id) : findRecord(portal, store, request, id);
  if (!record) throw recordNotFound(id);
  const view = viewRecord(store, record, queryList(request, 'properties'), queryList(request, historyParameter));
  return Response.json({ ...view, ...viewInlineLinks(portal, linked, record.id, request) });
}

export function listRecords(
  portal: Portal,
  store: ObjectStore,
  request: HonoRequest,
  linked: readonly AssociationPair[],
): Response {
  refuseNotBuilt(request);
  const limit = queryLimit(request, 10, 100);
  const after = request.query('after') || undefined;
  if (after !== undefined && !/^\d+$/.test(after)) throw validationError(`Invalid value for after: ${after}`);
  const properties = queryList(request, 'properties');
  const { records, more } = store.page(after, limit, request.query('archived') === 'true');
  const last = records.at(-1);
  const body: Page = {
    results: records.map((record) => ({
      ...viewRecord(store, record, properties),
      ...viewInlineLinks(portal, linked, record.id, request),
    })),
  };
  if (more && last) body.paging = { next: { after: last.id, link: nextLink(request, last.id) } };
  return Response.json(body);
}

export async function readBatch(portal: Portal, store: ObjectStore, request: HonoRequest): Promise<Response> {
  const startedAt = portal.clock().toISOString();
  const { inputs, idProperty, properties, propertiesWithHistory } = await readBody(request, batchReadSchema);
  checkBatchSize(inputs, propertiesWithHistory.length > 0 ? historyBatchLimit : batchLimit);
  if (idProperty !== undefined) requireUnique(portal, store, idProperty);
  const archived = request.query('archived') === 'true';
  const found = new Map<string, StoredRecord>();
  const missing: string[] = [];
  for (const { id } of inputs) {
    const record = archived ? store.getArchived(id) : findBy(portal, store, id, idProperty);
    if (record) found.set(record.id, record);
    else missing.push(id);
  }
  const results = shuffled([...found.values()], portal.seed, ({ id }) => id);
  const views = results.map((record) => viewRecord(store, record, properties, propertiesWithHistory));
  const errors = missing.length > 0 ? [{ status: 'error', ...missingRecords(store.type.singular, missing) }] : [];
  return answerBatch(200, views, errors, startedAt, portal.clock().toISOString());
}

/** Finds a record by the id of the path, or by the `idProperty` of the query. */
export function findRecord(
  portal: Portal,
  store: ObjectStore,
  request: HonoRequest,
  id: string,
): StoredRecord | undefined {
  const idProperty = request.query('idProperty');
  // A property that is not unique, such as a company's domain, finds nothing.
  if (idProperty !== undefined && !store.unique.isUnique(idProperty)) return undefined;
  return findBy(portal, store, id, idProperty);
}

function findBy(portal: Portal, store: ObjectStore, id: string, idProperty?: string): StoredRecord | undefined {
  const record = store.find(id, idProperty);
  if (!record || !store.type.knownByEmail || idProperty !== 'email') return record;
  const isPrimary = record.properties['email'] === store.unique.normal('email', id);
  return isPrimary || portal.assumed.readBySecondaryEmail === 'found' ? record : undefined;
}

/** Lists with history. */
function refuseNotBuilt(request: HonoRequest): void {
  if (queryList(request, historyParameter).length > 0) throw notImplemented(`the query parameter ${historyParameter}`);
}

function nextLink(request: HonoRequest, after: string): string {
  const url = new URL(request.url);
  url.searchParams.set('after', after);
  return url.href;
}
