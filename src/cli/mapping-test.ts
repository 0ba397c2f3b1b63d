/** Applies the mapping to saved slots, to check a configuration without ledger, service or HubSpot. */
import type { Config } from '../config/config.ts';
import { parseSlotLine, readLines } from '../proof/certificate/slot-lines.ts';
import type { Slot } from '../service/contract/index.ts';
import { parseJsonWithinLimits } from '../base/json/json-limits.ts';
import { findSkipRule } from '../delivery/mapping/contact-policy.ts';
import { toCrmPlan, type CrmPlan } from '../delivery/mapping/crm-plan.ts';
import {
  toCompanyProperties,
  toContactProperties,
  toUnenrichedProperties,
  type Properties,
  type PropertiesByPolicy,
  type Provenance,
} from '../delivery/mapping/crm-properties.ts';
import { detectShape } from '../service/reading/detect-shape.ts';
import { isProblem, readResultsPage } from '../service/reading/read-answers.ts';
import { createSlotReader, isSlot } from '../service/reading/read-slot.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { decodeTextFile } from '../base/host/read-text-file.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { describeSystemError } from '../base/failures/system-code.ts';

type Json = Readonly<Record<string, unknown>>;

/** The properties of one record by field policy, or the rule by which it is skipped. */
export type MappedRecord = { readonly position: number; readonly item: string } & (
  | {
      readonly always: Properties;
      readonly fill_empty: Properties;
      readonly only_if_ours: Properties;
      /** Written only together with another change. */
      readonly with_changes: Properties;
      /** True for the company of a PARTIAL row: no record is created for it. */
      readonly submitted_records_only?: true;
    }
  | { readonly skipped: string }
);

/** Larger files are exports, of which a part is enough. */
const mostBytes = 256_000_000;

/**
 * The records of all slots, by position.
 * @throws {CommandError} for a file that is neither an export of slots, nor an answer with results, nor a list of slots
 */
export async function testMapping(
  terminal: Terminal,
  { config: file }: GlobalOptions,
  { path, runName }: { readonly path: string; readonly runName: string | undefined },
): Promise<MappedRecord[]> {
  const config = await readConfiguration(file, terminal.env);
  const plan = toCrmPlan(config.mapping, config.contacts);
  const order = { id: 'mapping-test', run: runName ?? '', title: titleOf(config, runName) };
  const slots = await readSlots(path, config.service.resultsItems ?? null);
  const samples = slots.filter(({ company }) => typeof company === 'object' && company !== null);
  const shape = detectShape({ slots: samples, settings: config.service.fields, previous: null });
  const readSlot = createSlotReader(shape);
  return slots.flatMap((slot) => mapSlot(readSlot(slot), plan, { order, mappingVersion: plan.mappingVersion }));
}

function titleOf({ runs }: Config, runName: string | undefined): string {
  if (runName === undefined) return '';
  const run = Object.hasOwn(runs, runName) ? runs[runName] : undefined;
  if (run !== undefined) return run.title;
  const names = Object.keys(runs).join(', ') || 'none';
  throw new CommandError(`There is no run "${runName}" in the configuration. Its runs: ${names}`, exitCodes.usage);
}

function mapSlot(slot: Slot, plan: CrmPlan, provenance: Provenance): MappedRecord[] {
  const { input_position: position, company, status } = slot;
  if (company === null || status !== 'ENRICHED') return [mapUnenriched(slot, plan, provenance)];
  const people = (company.prospects ?? []).map((prospect, index): MappedRecord => {
    const record = { position, item: `contact:${index}` };
    const rule = findSkipRule(prospect, plan.contacts);
    if (rule !== null) return { ...record, skipped: rule };
    const properties = toContactProperties({ slot, prospect, company }, provenance, plan.mapping);
    return properties === null ? { ...record, skipped: 'no_email' } : { ...record, ...byPolicy(properties) };
  });
  const properties = toCompanyProperties(slot, company, provenance, plan.mapping);
  return [{ position, item: 'company', ...byPolicy(properties) }, ...people];
}

/** Fields of a company that was not enriched are written only to a submitted HubSpot record. */
function mapUnenriched(slot: Slot, plan: CrmPlan, provenance: Provenance): MappedRecord {
  const properties = toUnenrichedProperties(slot, provenance, plan.mapping);
  const record = { position: slot.input_position, item: 'company' };
  return Object.keys(properties.fillEmpty).length === 0
    ? { ...record, skipped: 'not_enriched' }
    : { ...record, ...byPolicy(properties), submitted_records_only: true };
}

function byPolicy({ always, fillEmpty, onlyIfOurs, stamp }: PropertiesByPolicy) {
  return { always, fill_empty: fillEmpty, only_if_ours: onlyIfOurs, with_changes: stamp };
}

async function readSlots(path: string, itemsSetting: string | null): Promise<Json[]> {
  const lines: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const line of readLines(path)) {
      bytes += line?.length ?? Infinity;
      if (line === null || bytes > mostBytes)
        throw new CommandError(
          `${path} is too large: at most ${mostBytes / 1e6} MB can be mapped. Use a part of it`,
          exitCodes.usage,
        );
      lines.push(line);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be read: ${describeSystemError(error)}`, exitCodes.usage);
  }
  const slots = fromExport(lines) ?? fromDocument(toText(path, lines), itemsSetting);
  if (slots !== null) return slots.toSorted((a, b) => Number(a['input_position']) - Number(b['input_position']));
  const remedy =
    'It must be a file of prospect-sync export, an answer of the service with results, or a JSON list of slots';
  throw new CommandError(`${path} contains no slots. ${remedy}`, exitCodes.usage);
}

const newline = Buffer.from('\n');

/** Erased slots have no content that could be mapped. null: not an export. */
function fromExport(lines: readonly Uint8Array[]): Json[] | null {
  const slots: Json[] = [];
  for (const line of lines) {
    if (line.length === 0) continue;
    const parsed = parseSlotLine(line);
    if (parsed === null) return null;
    if ('slot' in parsed && isSlot(parsed.slot)) slots.push(parsed.slot);
  }
  return slots.length === 0 ? null : slots;
}

function toText(path: string, lines: readonly Uint8Array[]): string {
  try {
    return decodeTextFile(Buffer.concat(lines.flatMap((line) => [line, newline])));
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${describeSystemError(error)}`, exitCodes.usage);
  }
}

function fromDocument(text: string, itemsSetting: string | null): Json[] | null {
  const json = parseJsonWithinLimits(text);
  if (isSlot(json)) return [json];
  const page = readResultsPage(json, itemsSetting);
  return isProblem(page) || page.slots.length === 0 ? null : page.slots;
}
