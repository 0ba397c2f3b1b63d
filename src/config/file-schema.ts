/** prospect-sync.yaml as a whole: the schemas and the rules of its sections. */
import { z } from 'zod';
import { checkContacts, contactsSchema } from './contact-settings.ts';
import type { Environment } from './environment.ts';
import { checkExclusions, exclusionsSchema } from './exclusion-settings.ts';
import { checkHubSpot, hubspotSchema } from './hubspot-settings.ts';
import { checkLedger, ledgerSchema } from './ledger-settings.ts';
import { limitsSchema } from './limit-settings.ts';
import { checkMapping, mappingSchema } from './mapping-settings.ts';
import { checkPolling, pollingSchema } from './polling-settings.ts';
import type { PathProblem } from './problems.ts';
import { checkRuns, runsSchema } from './run-settings.ts';
import { checkService, serviceSchema } from './service-settings.ts';
import { checkTemporal, temporalSchema } from './temporal-settings.ts';
import { childOf } from './valid-parts.ts';

/** Descriptions are shown by editors and as the remedy of a problem. Limits of the service come from the contract. */
export const fileSchema = z.strictObject({
  service: serviceSchema,
  hubspot: hubspotSchema,
  ledger: ledgerSchema,
  temporal: temporalSchema,
  polling: pollingSchema,
  limits: limitsSchema,
  mapping: mappingSchema,
  contacts: contactsSchema,
  exclusions: exclusionsSchema,
  runs: runsSchema,
});

/** The file with its defaults; secrets are still `{env: NAME}`. */
export type ConfigFile = z.infer<typeof fileSchema>;

/** Rules that a schema cannot express. They check all valid parts of a file, also where other parts are invalid. */
export function checkRules(file: unknown, env: Environment): PathProblem[] {
  return [
    ...checkService(childOf(file, 'service'), env),
    ...checkHubSpot(childOf(file, 'hubspot'), env),
    ...checkLedger(childOf(file, 'ledger'), env),
    ...checkTemporal(childOf(file, 'temporal'), env),
    ...checkPolling(childOf(file, 'polling')),
    ...checkMapping(childOf(file, 'mapping')),
    ...checkContacts(childOf(file, 'contacts')),
    ...checkExclusions(childOf(file, 'exclusions')),
    ...checkRuns(file),
  ];
}
