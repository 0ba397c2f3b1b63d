// Values that HubSpot calculates from other values of the record, pipelines and subscriptions.
import { dealType, type ObjectType } from '../object-types.ts';
import type { PipelineStore } from './pipeline-store.ts';
import type { PropertyValues } from './crm-record.ts';
import { defaultPipeline } from '../built-in/default-pipeline.ts';

/** The values that a write of `change` also sets; `before` is empty for a new record. */
export type CalculateValues = (before: PropertyValues, change: PropertyValues, now: string) => PropertyValues;

export interface CalculationSources {
  readonly pipelines: PipelineStore;
  /** Whether an address has unsubscribed from all email. */
  readonly optedOut: (email: string) => boolean;
}

export function createCalculateValues(type: ObjectType, { pipelines, optedOut }: CalculationSources): CalculateValues {
  if (type === dealType) return (before, change, now) => dealValues(pipelines, before, change, now);
  if (!type.knownByEmail) return () => ({});
  return (_, { email }) => {
    if (email === undefined) return {};
    return { hs_email_domain: email.split('@')[1] ?? '', hs_email_optout: optedOut(email) ? 'true' : '' };
  };
}

/** The problem when a deal gets a stage of another pipeline. */
export function stageProblem(pipelines: PipelineStore, before: PropertyValues, change: PropertyValues) {
  if (change['dealstage'] === undefined && change['pipeline'] === undefined) return undefined;
  const id = change['dealstage'] ?? before['dealstage'];
  if (id === undefined) return undefined;
  const pipeline = pipelines.get(pipelineOf(before, change));
  const stages = pipeline?.stages.map((stage) => stage.id) ?? [];
  if (stages.includes(id)) return undefined;
  const message = `${id} was not one of the allowed options: [${stages.join(', ')}]`;
  return { name: 'dealstage', error: 'INVALID_OPTION', message };
}

/** The calculated values of a deal; the closing date is set by closing, unless the write sets it. */
function dealValues(
  pipelines: PipelineStore,
  before: PropertyValues,
  change: PropertyValues,
  now: string,
): PropertyValues {
  const id = change['dealstage'] ?? before['dealstage'] ?? '';
  const { isClosed = 'false', probability = '' } = pipelines.stage(id)?.metadata ?? {};
  const closes = isClosed === 'true' && id !== before['dealstage'];
  const closedate = change['closedate'] ?? (closes ? now : (before['closedate'] ?? ''));
  const won = isClosed === 'true' && Number(probability) === 1;
  return {
    pipeline: pipelineOf(before, change),
    closedate,
    hs_is_closed: isClosed,
    hs_is_closed_won: String(won),
    hs_is_closed_lost: String(isClosed === 'true' && !won),
    hs_closed_won_date: won ? closedate : '',
    hs_deal_stage_probability: probability,
  };
}

function pipelineOf(before: PropertyValues, change: PropertyValues): string {
  return change['pipeline'] || before['pipeline'] || defaultPipeline.id;
}
