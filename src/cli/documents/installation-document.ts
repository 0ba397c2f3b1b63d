/** The documents that `--json` prints about an installation: its configuration, its systems, its runs in Temporal, and its build. */
import type { FindingCount } from '../../ledger/certificate-store.ts';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { findConfigurationWarnings } from '../../config/configuration-warnings.ts';
import type { Config } from '../../config/config.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import type { FieldEvidence } from '../../service/reading/describe-shape.ts';
import type { AnswerDrift } from '../../service/reading/find-drift.ts';
import { failureAttribute, orderAttribute, outcomeAttribute, runAttribute } from '../../temporal/search-attributes.ts';

export type ValidityDocument = ReturnType<typeof toValidityDocument>;

/** Printed by `validate`. */
export function toValidityDocument(config: Config) {
  const { exclusions, runs } = config;
  const warnings = findConfigurationWarnings(config);
  return { ok: true, exclusions: Object.keys(exclusions), runs: Object.keys(runs), warnings };
}

export interface Diagnosis {
  /** False if something would make runs fail; warnings do not. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** With `--drift`: how the answers of the service differ from the specification. It never affects `ok`. */
  readonly drift?: readonly AnswerDrift[];
}

/** Printed by `doctor`. `drift`: null without `--drift`. */
export function toDiagnosis(checks: readonly Check[], drift: readonly AnswerDrift[] | null): Diagnosis {
  const ok = checks.every(({ state }) => state !== 'problem');
  return { ok, checks, ...(drift === null ? {} : { drift }) };
}

/** Learned facts about a service, beyond the specification. */
export interface ServiceShape {
  readonly service: string;
  /** ISO 8601; null: nothing was learned yet. */
  readonly learntAt: string | null;
  readonly fields: readonly FieldEvidence[];
  /** Paths in other responses, for example `createOrder.order_id` in `data.id`. */
  readonly answers: Readonly<Record<string, string>>;
  /** Settings of `service.requests` that differ from the defaults. */
  readonly requests: Readonly<Record<string, string>>;
  /** Settings that were written to the configuration. */
  readonly written: readonly string[];
}

/** Printed by `service show` and `service learn`. */
export function toServiceDocument({ learntAt, ...shape }: ServiceShape) {
  return { learnt_at: learntAt, ...shape };
}

/** Printed by `service forget`: the number of operations whose fields were forgotten. */
export function toForgottenDocument(forgotten: number) {
  return { forgotten };
}

/** One run of `status`. */
export interface RunState {
  readonly workflow_id: string;
  readonly run: string | null;
  readonly status: string;
  readonly outcome: string | null;
  /** Type of the failure that ended it, see docs/troubleshooting.md. */
  readonly failure: string | null;
  readonly order_id: string | null;
  /** Companies ordered and delivered; null: not known, or not yet. */
  readonly ordered: number | null;
  readonly delivered: number | null;
  /** Invalid rows of the source that were left out. */
  readonly rejected: number;
  /** Of the last reconciliation of the order. */
  readonly findings: readonly FindingCount[];
  /** True: its memo is encrypted with a key that this configuration lacks. Only runs of schedules have a memo. */
  readonly encrypted_with_another_key: boolean;
  readonly started_at: string;
  readonly closed_at: string | null;
}

/** Figures of a run from the ledger, by order. */
interface RunFacts {
  readonly quantities: ReadonlyMap<string, { readonly ordered: number; readonly delivered: number | null }>;
  readonly rejected: ReadonlyMap<string, number>;
  readonly findings: ReadonlyMap<string, readonly FindingCount[]>;
  readonly isOfAnotherKey: boolean;
}

export function toRunState(
  { workflowId, status, startTime, closeTime, typedSearchAttributes }: WorkflowExecutionInfo,
  { quantities, rejected, findings, isOfAnotherKey }: RunFacts,
): RunState {
  const orderId = typedSearchAttributes.get(orderAttribute) ?? null;
  const { ordered = null, delivered = null } = quantities.get(orderId ?? '') ?? {};
  return {
    workflow_id: workflowId,
    run: typedSearchAttributes.get(runAttribute) ?? null,
    status: status.name.toLowerCase(),
    outcome: typedSearchAttributes.get(outcomeAttribute) ?? null,
    failure: typedSearchAttributes.get(failureAttribute) ?? null,
    order_id: orderId,
    ordered,
    delivered,
    rejected: rejected.get(orderId ?? '') ?? 0,
    findings: findings.get(orderId ?? '') ?? [],
    encrypted_with_another_key: isOfAnotherKey,
    started_at: startTime.toISOString(),
    closed_at: closeTime?.toISOString() ?? null,
  };
}

export interface ReplayedHistory {
  readonly file: string;
  /** null: this build can replay the history. */
  readonly problem: string | null;
}

/** Printed by `replay`. */
export function toReplayDocument(replayed: readonly ReplayedHistory[]) {
  return { ok: replayed.every(({ problem }) => problem === null), files: replayed };
}
