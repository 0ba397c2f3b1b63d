/** The documents that `--json` prints about orders and rows. */
import { isExistingProfile, type RunProfile } from '../../config/profile-settings.ts';
import type { RunPlan } from '../../config/run-plan.ts';
import type { SourceReport } from '../../ledger/draft-source.ts';
import { roundSeconds } from '../../base/text/format-time.ts';
import { toExclusionDocument, type ExclusionFigures } from '../../proof/report/exclusions-document.ts';
import { toSourceDocument } from '../../proof/report/source-document.ts';
import type { FileReport } from '../../delivery/files/order-spreadsheet.ts';
import type { OrderReport, RunFigures, ServiceOutputReport, Finding } from '../../proof/report/order-report.ts';
import type { SlotOutcome } from '../../ledger/outcome-queries.ts';
import type { OutcomeTally } from '../../ledger/crm-outcomes.ts';
import type { SlotFinding } from '../../proof/checks/slot-findings.ts';
import { toDifferencesDocument } from './differences-document.ts';

/** Orders that a command has worked on, and how long it took. */
export interface OrderSummary {
  readonly seconds: number;
  readonly uiUrl: string | null;
  readonly orders: readonly ReportedOrder[];
}

/** Orders that a run has placed also carry the figures of that run. `differences`: absent unless they were asked for. */
export type ReportedOrder = OrderReport & Partial<RunFigures> & { readonly differences?: readonly SlotFinding[] };

/** Printed by `demo`, `run`, `ingest` and `reconcile`. */
export function toOrdersDocument({ seconds, uiUrl, orders }: OrderSummary) {
  return {
    ok: orders.every(isClean),
    seconds: roundSeconds(seconds),
    temporal_ui: uiUrl,
    orders: orders.map((order) => ({
      order_id: order.orderId,
      kind: order.kind,
      workflow_id: order.workflowId,
      ordered: order.ordered,
      delivered: order.delivered,
      slots: order.slots,
      reconciled: order.reconciled,
      by_status: order.byStatus,
      by_reason: order.byReason,
      unknown_to_this_version: order.unknown,
      reading: order.reading,
      crm: order.crm,
      restored_links: order.restoredLinks,
      recreated: order.recreated,
      newer_orders: order.newerOrders,
      websites: order.websites,
      company_items: order.companyItems,
      lists: order.lists?.map(({ listId, ...list }) => ({ ...list, list_id: listId })),
      read_back: order.readBack,
      repair: order.repair,
      erased: order.erased,
      leaks: order.leaks,
      files: order.files,
      service_outputs: order.serviceOutputs?.map(toOutputDocument),
      findings: order.findings,
      certificate: order.certificate,
      differences: order.differences === undefined ? undefined : toDifferencesDocument(order.differences),
      configuration_changed: order.configurationChanged,
      exclusions: order.exclusions?.map(toExclusionDocument),
      unusable_companies: order.unusableCompanies,
      source: order.source === undefined ? undefined : toSourceDocument(order.source),
    })),
  };
}

export function isClean({ findings, reconciled, slots }: OrderReport): boolean {
  return findings.length === 0 && reconciled === slots;
}

export function toOutputDocument({ resultCount, problemDetail, ...output }: ServiceOutputReport) {
  return { ...output, problem_detail: problemDetail, result_count: resultCount };
}

/** Preview of a run: its order, exclusions and destinations. */
export interface DryRun {
  readonly plan: RunPlan;
  /** Companies that would be ordered. */
  readonly quantity: number;
  /** Enrichment only. */
  readonly source: SourceReport | null;
  /** Some of its rows, as text. */
  readonly shownRows: readonly string[];
  readonly exclusions: readonly ExclusionFigures[];
  /** null: the run writes nothing to HubSpot. */
  readonly crm: { readonly portalId: number; readonly missingProperties: readonly string[] } | null;
}

function toProfile(profile: RunProfile) {
  return isExistingProfile(profile)
    ? { profile_name: null, profile_id: profile.profile_id }
    : { profile_name: profile.profile_name };
}

/** Printed by `run --dry-run`. */
export function toDryRunDocument({ plan, quantity, source, exclusions, crm }: DryRun) {
  const { runName, kind, title, profile, features, delivery } = plan;
  const { spreadsheets, serviceOutputs } = delivery;
  return {
    ok: true,
    dry_run: true,
    run: runName,
    order: { kind, title, quantity, ...toProfile(profile), features },
    source: source === null ? null : toSourceDocument(source),
    exclusions: exclusions.map(toExclusionDocument),
    writes: {
      crm: crm === null ? null : { portal_id: crm.portalId, creates_properties: crm.missingProperties },
      files: spreadsheets === null ? [] : spreadsheets.kinds.map((each) => `${spreadsheets.directory}/ORDER.${each}`),
      service_outputs: (serviceOutputs?.wanted ?? []).map(({ type, language }) => `${type} ${language}`),
    },
  };
}

/** One row of `rows`, and an outcome of `why`. */
export function toRowDocument(row: SlotOutcome) {
  return {
    order_id: row.orderId,
    run: row.runName,
    position: row.position,
    source_row: row.sourceRow,
    item: row.item,
    external_id: row.externalId,
    status: row.status,
    reason_codes: row.reasonCodes,
    outcome: row.outcome,
    pass: row.pass,
    rule: row.rule,
    matched_by: row.matchedBy,
    record_id: row.recordId,
    candidates: row.candidates,
    mapping_version: row.mappingVersion,
    projection: row.projectionId,
    at: row.at,
  };
}

/** An order after `retry`. */
export interface RetriedOrder {
  readonly orderId: string;
  /** Companies and contacts that were quarantined or failed before. */
  readonly open: number;
  readonly crm: { readonly companies: OutcomeTally; readonly contacts: OutcomeTally };
  readonly files: readonly FileReport[];
  readonly findings: readonly Finding[];
}

export function toRetryDocument({ orderId, open, crm, files, findings }: RetriedOrder) {
  return { ok: findings.length === 0, order_id: orderId, open_before: open, crm, files, findings };
}

/** Preview of writing an order to HubSpot. */
export interface OrderPreview {
  readonly orderId: string;
  /** Number of records by type and outcome, for example `company would be created`. */
  readonly items: Readonly<Record<string, number>>;
  /** Number of records by property that would be written, for example `companies.phone`. */
  readonly properties: Readonly<Record<string, number>>;
  readonly file: string | null;
}

export function toOrderPreviewDocument({ orderId, ...preview }: OrderPreview) {
  return { order_id: orderId, ...preview };
}
