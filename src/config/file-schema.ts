/** prospect-sync.yaml as a whole: the schemas, rules and templates of its sections. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { certificatesSchema, certificatesTemplate, checkCertificates } from './certificate-settings.ts';
import { checkConsole, consoleSchema, consoleTemplate } from './console-settings.ts';
import { checkContacts, contactsSchema, contactsTemplate } from './contact-settings.ts';

import { checkExclusions, exclusionsSchema, exclusionsTemplate } from './exclusion-settings.ts';
import { checkHubSpot, hubspotSchema, hubspotTemplate } from './hubspot-settings.ts';
import { checkLedger, ledgerSchema, ledgerTemplate } from './ledger-settings.ts';
import { limitsSchema, limitsTemplate } from './limit-settings.ts';
import { checkMapping } from './mapping-checks.ts';
import { mappingSchema, mappingTemplate } from './mapping-settings.ts';
import { checkPolling, pollingSchema, pollingTemplate } from './polling-settings.ts';
import type { PathProblem } from './problems.ts';
import { checkReceivedWebhooks, orderStatusSchema, repliesSchema, repliesTemplate } from './reply-settings.ts';
import { retentionSchema, retentionTemplate } from './retention-settings.ts';
import { checkRuns, runsSchema, runsTemplate } from './run-settings.ts';
import { checkService, serviceSchema, serviceTemplate } from './service-settings.ts';
import { checkSeparateSecrets } from './separate-secrets.ts';
import { checkTemporal, temporalSchema, temporalTemplate } from './temporal-settings.ts';
import { childOf } from './partial-validation.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { profileDescriptions } from './profile-settings.ts';

/** Descriptions are shown by editors and as the remedy of a problem. Limits of the service come from the contract. */
export const fileSchema = z.strictObject({
  service: serviceSchema,
  hubspot: hubspotSchema,
  ledger: ledgerSchema,
  certificates: certificatesSchema,
  retention: retentionSchema,
  temporal: temporalSchema,
  polling: pollingSchema,
  limits: limitsSchema,
  mapping: mappingSchema,
  contacts: contactsSchema,
  exclusions: exclusionsSchema,
  replies: repliesSchema,
  order_status: orderStatusSchema,
  console: consoleSchema,
  runs: runsSchema,
});

/** The file with its defaults; secrets are still `{env: NAME}`. */
export type ConfigFile = z.infer<typeof fileSchema>;

/** Rules that a schema cannot express. They check all valid parts of a file, also where other parts are invalid. */
export function checkRules(file: unknown, env: Environment): PathProblem[] {
  return [
    ...checkService(childOf(file, 'service'), env),
    ...checkHubSpot(childOf(file, 'hubspot'), env),
    ...checkSeparateSecrets(file, env),
    ...checkLedger(childOf(file, 'ledger'), env),
    ...checkCertificates(childOf(file, 'certificates'), env),
    ...checkTemporal(childOf(file, 'temporal'), env),
    ...checkPolling(childOf(file, 'polling')),
    ...checkMapping(childOf(file, 'mapping')),
    ...checkContacts(childOf(file, 'contacts')),
    ...checkExclusions(childOf(file, 'exclusions')),
    ...checkReceivedWebhooks('replies', childOf(file, 'replies'), env),
    ...checkReceivedWebhooks('order_status', childOf(file, 'order_status'), env),
    ...checkConsole(childOf(file, 'console'), env),
    ...checkRuns(file, env),
  ];
}

/** `init` writes the schema to it, and the first line of the template refers to it. */
export const configSchemaFile = 'prospect-sync.schema.json';

const head = `# yaml-language-server: $schema=${configSchemaFile}
#
# prospect-sync: which companies to exclude, what to order, where the results go.
# \`npx prospect-sync validate\` checks this file and shows every problem with its line.
# Never write a secret here: write {env: NAME} and set the environment variable NAME (capitals, digits, _). If
# PROSPECT_SYNC_ENV_ALLOWED is set, it lists the allowed variables.
# Paths are relative to the folder of this file. Durations: 500ms, 2s, 10m, 1h; at most 24h, longer in schedules (7d).
`;

/** The file that `init` writes: it works once its variables are set and its examples are adapted. */
export function configTemplate(): string {
  return [
    head,
    serviceTemplate,
    hubspotTemplate,
    ledgerTemplate,
    certificatesTemplate,
    retentionTemplate,
    temporalTemplate,
    pollingTemplate,
    limitsTemplate,
    mappingTemplate,
    contactsTemplate,
    exclusionsTemplate,
    repliesTemplate,
    consoleTemplate,
    runsTemplate,
  ].join('\n');
}

/** The template with each commented setting switched on; remarks stay comments. */
export function uncommentSettings(template: string): string {
  return template
    .split('\n')
    .map((line) => line.replace(/^( *)# ( *(?:-$|(?:[a-z_]+|[A-Z_]+):(?: |$)))/, '$1$2'))
    .join('\n');
}

/** JSON Schema (draft 7, which YAML editors read best) of prospect-sync.yaml as a user writes it. */
export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(fileSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema, path }) => {
      // A mark of the contract that editors do not know.
      delete jsonSchema['x-assumed'];
      const description = path.at(-3) === 'profile' && getOwnProperty(profileDescriptions, String(path.at(-1)));
      if (description) jsonSchema.description = description;
    },
  });
}
