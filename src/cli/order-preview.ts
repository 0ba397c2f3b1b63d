/** Previews what writing an order to HubSpot would change now. Writes nothing to HubSpot or to the ledger. */
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import type { ObjectType } from '../hubspot/hubspot-record.ts';
import { toCsvForm } from '../config/output-settings.ts';
import { managedProperties } from '../hubspot/managed-properties.ts';
import { toCrmPlan, type CrmPlan } from '../delivery/mapping/crm-plan.ts';
import { toMappedProperties } from '../delivery/mapping/written-content.ts';
import type { OutcomeName } from '../ledger/crm-outcomes.ts';
import { previewOrder, type PreviewRow } from '../delivery/crm/projection-preview.ts';
import { keyProperties } from '../delivery/crm/record-match.ts';
import type { Projection, ProjectionDependencies } from '../delivery/crm/slot-batch.ts';
import { writeCsv } from '../base/spreadsheet/csv-writer.ts';
import type { Column, Row } from '../base/spreadsheet/table.ts';
import { createDependencies } from '../worker/configured-clients.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { checkConnections, createWaitOutRefusals } from './connections.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { signalOf, type Terminal } from './terminal.ts';
import { findRecordedRun, refuseErasedOrder, readCollected, findOrderId } from './known-order.ts';
import { assertFreeTarget, type TargetFlags } from './target-file.ts';
import type { OrderPreview } from './documents/order-document.ts';

const columns: readonly Column[] = [
  { key: 'position', header: 'Position', kind: 'number' },
  { key: 'item', header: 'Item', kind: 'text' },
  { key: 'outcome', header: 'Would Be', kind: 'text' },
  { key: 'rule', header: 'Rule', kind: 'text' },
  { key: 'matched_by', header: 'Matched By', kind: 'text' },
  { key: 'record_id', header: 'HubSpot Record Id', kind: 'text' },
  { key: 'candidates', header: 'Candidates', kind: 'text' },
  { key: 'property', header: 'Property', kind: 'text' },
  { key: 'from', header: 'HubSpot Now', kind: 'text' },
  { key: 'to', header: 'Would Be Written', kind: 'text' },
];

/** `what`: the id of an order, or the name of a run, which stands for its newest order. `out`: path of a CSV file with every value. */
export async function preview(
  terminal: Terminal,
  options: GlobalOptions,
  what: string,
  { out, overwrite }: TargetFlags,
): Promise<OrderPreview> {
  if (out !== undefined) await assertFreeTarget(out, { overwrite, format: 'csv' }, options);
  const config = await readConfiguration(options.config, terminal.env);
  const orderId = await findOrderId(terminal, config, options, what);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const runs = Object.keys(config.runs);
  const order = await readCollected(ledger, orderId);
  await refuseErasedOrder(ledger, orderId);
  const run = findRecordedRun(order, runs);
  if (run !== null && config.runs[run]?.crm === false)
    terminal.say(`Run ${run} writes nothing to HubSpot (crm: false). This is what it would write with crm: true`);
  const form = toCsvForm(config.runs[run ?? '']?.spreadsheets.csv ?? false) ?? undefined;
  const clients = createDependencies(config, ledger);
  await checkConnections(config, clients, { needed: ['crm'], ledger, waitOut: createWaitOutRefusals(terminal) });
  const plan = toCrmPlan(config.mapping, config.contacts);
  const { hubspot, now } = clients;
  const signal = signalOf(terminal);
  const unpreparedTypes = await findUnpreparedTypes(hubspot, plan);
  const dependencies: ProjectionDependencies = { hubspot, ledger, now, signal, unpreparedTypes };
  const projection: Projection = {
    orderId,
    projectionId: 'preview',
    provenance: { order: await ledger.orderRequests.source(orderId), mappingVersion: plan.mappingVersion },
    plan,
    externalIdsAreRecordIds: order.externalIdsAreRecordIds,
    onlyUnfinished: false,
    force: false,
  };
  const counts = createCounts();
  const rows = counts.counted(previewOrder(dependencies, projection, order.total));
  if (out === undefined) for await (const _ of rows);
  else await writeCsv({ path: out, columns, rows: toCsvRows(rows), form, signal });
  return { orderId, ...counts.counts(), file: out ?? null };
}

export function toPreviewText({ orderId, items, properties, file }: OrderPreview): string {
  const lines = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]) => `  ${String(count).padStart(7)}  ${name}`);
  const written = lines(properties);
  return [
    `order ${orderId}, compared with HubSpot now; nothing was written`,
    ...lines(items),
    ...(written.length === 0 ? ['no property would change'] : ['properties that would be written:', ...written]),
    file === null ? 'To see every value, add --out FILE.csv' : `All values are in ${file}`,
  ].join('\n');
}

/** Object types without the properties of prospect-sync. @throws {HubSpotError} if a mapped property is missing or has an unsuitable type; a run would fail too */
async function findUnpreparedTypes(hubspot: HubSpotClient, { mapping }: CrmPlan): Promise<ObjectType[]> {
  const types: ObjectType[] = [];
  const mustExist = toMappedProperties(mapping);
  for (const type of ['companies', 'contacts'] as const) {
    const { missing } = await hubspot.properties.check(type, { properties: managedProperties[type], mustExist });
    if (missing.some(({ name }) => name === keyProperties[type])) types.push(type);
  }
  return types;
}

function createCounts() {
  const items = new Map<string, number>();
  const properties = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    async *counted(pages: AsyncIterable<PreviewRow[]>): AsyncGenerator<PreviewRow[]> {
      for await (const page of pages) {
        for (const { item, outcome, rule, changes } of page) {
          const type = item === 'company' ? 'company' : 'contact';
          add(items, [type, toOutcomeText(outcome), rule].filter((word) => word !== null).join(' '));
          const object = item === 'company' ? 'companies' : 'contacts';
          for (const { property } of changes) add(properties, `${object}.${property}`);
        }
        yield page;
      }
    },
    counts: () => ({ items: Object.fromEntries(items), properties: Object.fromEntries(properties) }),
  };
}

function toOutcomeText(outcome: OutcomeName): string {
  return outcome === 'unchanged' ? 'unchanged' : `would be ${outcome}`;
}

/** One row for each changed property; a record without changes has one row. */
async function* toCsvRows(pages: AsyncIterable<PreviewRow[]>): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    yield page.flatMap(({ changes, matchedBy, recordId, candidates, ...row }) => {
      const common = { ...row, matched_by: matchedBy, record_id: recordId, candidates: candidates.join(' ') };
      return changes.length === 0 ? [common] : changes.map((change) => ({ ...common, ...change }));
    });
  }
}
