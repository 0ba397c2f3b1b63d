/** Notes and tasks that runs never create, because rows with their reason get no CRM record. */
import { isKnownReasonCode, reasonCodes } from '../contract/reason-codes.ts';
import type { Config } from './config.ts';
import { toDeliveryPlan } from './run-plan.ts';

/** Only ENRICHED rows create records; those of other rows exist only if external ids name them. */
export function findItemWarnings(config: Config): string[] {
  const runs = Object.entries(config.runs).flatMap(([name, run]) => {
    const { crm, externalIdsAreRecordIds } = toDeliveryPlan(config, run);
    return crm === null || externalIdsAreRecordIds ? [] : [name];
  });
  if (runs.length === 0) return [];
  const texts = { company_notes: config.mapping.companyNotes, company_tasks: config.mapping.companyTasks };
  return Object.entries(texts).flatMap(([setting, byReason]) =>
    Object.keys(byReason ?? {}).flatMap((code) => {
      const status = isKnownReasonCode(code) ? reasonCodes[code].status : 'ENRICHED';
      return status === 'ENRICHED'
        ? []
        : [
            `mapping.${setting}.${code} creates nothing for ${runs.join(', ')}: rows with this reason are ${status}, and only ENRICHED rows have a company in HubSpot, unless external ids are record ids (companies.external_ids: record_id). The report of an order counts these rows, with the command that lists them`,
          ];
    }),
  );
}
