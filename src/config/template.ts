import { contactsTemplate } from './contact-settings.ts';
import { exclusionsTemplate } from './exclusion-settings.ts';
import { hubspotTemplate } from './hubspot-settings.ts';
import { configSchemaFile } from './json-schema.ts';
import { ledgerTemplate } from './ledger-settings.ts';
import { limitsTemplate } from './limit-settings.ts';
import { mappingTemplate } from './mapping-settings.ts';
import { pollingTemplate } from './polling-settings.ts';
import { runsTemplate } from './run-settings.ts';
import { serviceTemplate } from './service-settings.ts';
import { temporalTemplate } from './temporal-settings.ts';

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
    temporalTemplate,
    pollingTemplate,
    limitsTemplate,
    mappingTemplate,
    contactsTemplate,
    exclusionsTemplate,
    runsTemplate,
  ].join('\n');
}

/** The template with each commented setting switched on; remarks stay comments. */
export function uncommentSettings(template: string): string {
  return template
    .split('\n')
    .map((line) => line.replace(/^( *)# ( *(?:-$|[a-z_]+:(?: |$)))/, '$1$2'))
    .join('\n');
}
