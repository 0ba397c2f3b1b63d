import type { Pipeline as SdkPipeline } from '@hubspot/api-client/lib/codegen/crm/pipelines/models/Pipeline.js';
import type { JsonOf } from '../json-model.ts';

export type Pipeline = JsonOf<SdkPipeline>;
export type Stage = Pipeline['stages'][number];

// HubSpot's own pipeline is older than any portal.
const since = '2019-08-06T02:41:08.000Z';

const rows: readonly (readonly [id: string, label: string, probability: string])[] = [
  ['appointmentscheduled', 'Appointment Scheduled', '0.2'],
  ['qualifiedtobuy', 'Qualified To Buy', '0.4'],
  ['presentationscheduled', 'Presentation Scheduled', '0.6'],
  ['decisionmakerboughtin', 'Decision Maker Bought-In', '0.8'],
  ['contractsent', 'Contract Sent', '0.9'],
  ['closedwon', 'Closed Won', '1.0'],
  ['closedlost', 'Closed Lost', '0.0'],
];

/** The sales pipeline that every portal has. */
export const defaultPipeline: Pipeline = {
  id: 'default',
  label: 'Sales Pipeline',
  displayOrder: 0,
  createdAt: since,
  updatedAt: since,
  archived: false,
  stages: rows.map(([id, label, probability], displayOrder) => ({
    id,
    label,
    displayOrder,
    metadata: { isClosed: String(id.startsWith('closed')), probability },
    createdAt: since,
    updatedAt: since,
    archived: false,
  })),
};
