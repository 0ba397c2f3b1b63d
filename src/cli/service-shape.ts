/** Shows, learns and forgets the field names of a service that the specification does not define. The ledger stores them. */
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { defaultRequestSettings } from '../service/contract/request-settings.ts';
import { isBeyondJsonLimits, jsonLimits } from '../base/json/json-limits.ts';
import { resultsOperation, serviceScope } from '../ledger/shape-store.ts';
import { toPublishedSlot } from '../ledger/stored-slot.ts';
import { describeShape, type FieldEvidence } from '../service/reading/describe-shape.ts';

import { detectShape } from '../service/reading/detect-shape.ts';
import { mostSamples } from '../service/reading/detect-prospects.ts';
import { isProblem, readResultsPage } from '../service/reading/read-answers.ts';
import type { Config } from '../config/config.ts';
import { createConfiguredProspecting } from '../worker/configured-clients.ts';
import type { ServiceShape } from './documents/installation-document.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger, withLedger } from './data-folder.ts';
import { findOrderId } from './known-order.ts';
import { isFile } from '../base/host/is-file.ts';
import { readTextFile } from '../base/host/read-text-file.ts';
import { writeWholeFile } from '../base/spreadsheet/whole-file.ts';
import { CommandError, exitCodes, isConfirmed, type ConfirmationFlags, type Terminal } from './terminal.ts';
import { toPrintable, toPrintablePath } from '../base/text/printable-text.ts';
import { isRecord } from '../base/json/own-property.ts';
import { describeSystemError } from '../base/failures/system-code.ts';

type Json = Readonly<Record<string, unknown>>;

const placesSchema = z.record(z.string(), z.string());

/** The field names by which runs of this configuration read responses. */
export async function showService(terminal: Terminal, options: GlobalOptions): Promise<ServiceShape> {
  const config = await readConfiguration(options.config, terminal.env);
  const { baseUrl } = config.service;
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const rows = await ledger.shapes.list(serviceScope(baseUrl));
  const results = await ledger.shapes.results(serviceScope(baseUrl));
  const fields = results === null ? [] : describeShape(results.shape, []);
  const answers = rows
    .filter(({ operation }) => operation !== resultsOperation)
    .flatMap(({ operation, json }) =>
      Object.entries(placesSchema.parse(JSON.parse(json))).map(([field, path]) => [`${operation}.${field}`, path]),
    );
  const requests = changedRequests(config);
  return {
    service: baseUrl,
    learntAt: results?.learntAt ?? null,
    fields,
    answers: Object.fromEntries(answers),
    requests,
    written: [],
  };
}

/** Forgets the learned field names; the next order is analysed again. @returns the number of forgotten operations */
export async function forgetService(terminal: Terminal, options: GlobalOptions & ConfirmationFlags): Promise<number> {
  return withLedger(terminal, options, async ({ shapes }, { service }) => {
    const question = `Forget the field names that were learned from ${service.baseUrl}? The next order is analysed again.`;
    if (!(await isConfirmed(terminal, options, question)))
      throw new CommandError(
        `Forgetting the field names that were learned from ${service.baseUrl} was not confirmed: nothing was changed. To do it without confirmation, add --yes`,
      );
    return shapes.forget(serviceScope(service.baseUrl));
  });
}

/**
 * Learns from saved result pages, or from one published order. `write`: field names that differ from those of prospect-sync are
 * written to the configuration file; its comments are kept.
 */
export async function learnService(
  terminal: Terminal,
  options: GlobalOptions,
  sources: readonly string[],
  { write }: { readonly write: boolean },
): Promise<ServiceShape> {
  const config = await readConfiguration(options.config, terminal.env);
  const slots = await readSlots(terminal, config, options, sources);
  if (!slots.some(({ company }) => isRecord(company)))
    throw new CommandError(`Nothing to learn: ${sources.join(', ')} contain no slot with a company`, exitCodes.usage);
  const shape = detectShape({ slots, settings: config.service.fields, previous: null });
  const fields = describeShape(shape, slots);
  const written = write ? await writeSettings(options.config, fields) : [];
  return {
    service: config.service.baseUrl,
    learntAt: null,
    fields,
    answers: {},
    requests: changedRequests(config),
    written,
  };
}

async function readSlots(
  terminal: Terminal,
  config: Config,
  options: GlobalOptions,
  sources: readonly string[],
): Promise<Json[]> {
  const [only = ''] = sources;
  // Ids and names of runs consist of these characters; the name of a missing file usually has others.
  if (sources.length === 1 && /^[\da-z-]+$/i.test(only) && !(await isFile(only)))
    return readOrder(terminal, config, options, await findOrderId(terminal, config, options, only));
  const slots: Json[] = [];
  for (const file of sources) slots.push(...(await readFileSlots(file, config.service.resultsItems)));
  return slots;
}

async function readFileSlots(file: string, itemsField: string | null): Promise<Json[]> {
  const text = await readTextFile(file).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${describeSystemError(error)}`, exitCodes.usage);
  });
  const page = readResultsPage(parseJson(file, text), itemsField);
  if (isProblem(page)) throw new CommandError(`${file} is not a page of results: ${page.problem}`, exitCodes.usage);
  return page.slots;
}

function parseJson(file: string, text: string): unknown {
  if (isBeyondJsonLimits(text)) {
    throw new CommandError(`${file} is not a page of results: it is ${jsonLimits}`, exitCodes.usage);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(
      `${file} is not JSON. Save the response of GET /api/v1/orders/{order_id}/results`,
      exitCodes.usage,
    );
  }
}

/** Reads slots from the ledger if the order was collected, otherwise from the service. */
async function readOrder(terminal: Terminal, config: Config, options: GlobalOptions, orderId: string): Promise<Json[]> {
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const stored = await ledger.slots.read(orderId, { from: 0, to: mostSamples });
  if (stored.length > 0) return stored.map(toPublishedSlot).filter(isRecord);
  const prospecting = createConfiguredProspecting(config);
  const slots: Json[] = [];
  for (;;) {
    const page = await prospecting.results.page(orderId, slots.length);
    slots.push(...page.slots);
    if (page.slots.length === 0 || page.hasMore === false || slots.length >= mostSamples) return slots;
  }
}

function changedRequests({ service: { requests } }: Config): Record<string, string> {
  const { company_row: row, ...plain } = requests;
  const { company_row: defaultRow, ...defaults } = defaultRequestSettings;
  const changed = (prefix: string, values: object, defaultValues: object) =>
    Object.entries(values)
      .filter(([name, value]) => Reflect.get(defaultValues, name) !== value)
      .map(([name, value]) => [`${prefix}${name}`, String(value)]);
  return Object.fromEntries([...changed('', plain, defaults), ...changed('company_row.', row, defaultRow)]);
}

/** A field under its own name, or one that the specification defines, needs no setting. */
async function writeSettings(path: string, fields: readonly FieldEvidence[]): Promise<string[]> {
  const document = parseDocument(await readTextFile(path));
  const written: string[] = [];
  for (const { field, path: place, by, values } of fields) {
    const [record = '', name = ''] = field.split('.');
    if (place === null || values === 0 || by === 'specification' || by === 'setting') continue;
    // The path of the people starts at the slot; a setting may start at the company.
    const value = name === 'prospects' ? place.replace(/^company\./, '') : place;
    if (value === name) continue;
    document.setIn(['service', 'fields', record, name], value);
    written.push(`service.fields.${record}.${name}: ${value}`);
  }
  if (written.length === 0) return [];
  // Renaming replaces the whole file at once.
  const text = document.toString({ lineWidth: 0 });
  await writeWholeFile({ path }, (file) => file.append(text));
  return written;
}

export function toServiceText({ service, learntAt, fields, answers, requests, written }: ServiceShape): string {
  const isFound = ({ path, values, records }: FieldEvidence) => path !== null && (records === 0 || values > 0);
  const found = fields.filter(isFound);
  const absent = fields.filter((field) => !isFound(field)).map(({ field }) => field);
  const width = Math.max(0, ...found.map(({ field }) => field.length));
  const changed = Object.entries(requests).map(([name, value]) => `  service.requests.${name}: ${value}`);
  return [
    `${service}${learntAt === null ? '' : `, learned ${learntAt}`}`,
    ...(fields.length === 0
      ? [
          'Nothing was learned yet. The first collected order is analysed automatically; to learn now, run: prospect-sync service learn FILE',
        ]
      : []),
    ...found.map((field) => `  ${field.field.padEnd(width)}  ${toPlace(field)}`),
    ...(absent.length === 0 || fields.length === 0 ? [] : ['', `Not in the results: ${absent.join(', ')}`]),
    ...Object.entries(answers).map(
      ([name, path]) => `  ${name.padEnd(width)}  ${toPrintablePath(path) || 'the response itself'}`,
    ),
    ...(changed.length === 0 ? [] : ['', 'Settings of requests:', ...changed]),
    ...(written.length === 0
      ? []
      : ['', 'Written to the configuration:', ...written.map((setting) => `  ${toPrintable(setting)}`)]),
  ].join('\n');
}

function toPlace({ path, by, values, records, example }: FieldEvidence): string {
  const seen = records === 0 ? '' : `, ${values} of ${records}`;
  return `${toPrintablePath(path ?? '')}  (by ${by}${seen}${example === null ? '' : `: ${toPrintable(example)}`})`;
}
