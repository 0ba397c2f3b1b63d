// What the stage of a deal says about the deal.
import type { PropertyValues } from './record.ts';
import { defaultPipeline } from '../built-in/default-pipeline.ts';
import type { PipelineStore } from './pipeline-store.ts';

/** Why a deal cannot be in the stage that a write gives it: stages belong to one pipeline. */
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
export function dealValues(
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
