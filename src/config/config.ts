import type { ProfileInput } from '../contract/index.ts';
import type { ContactPolicy } from '../mapping/contact-policy.ts';
import type { CrmMapping } from '../mapping/crm-plan.ts';
import type { ColumnSettings } from '../mapping/source-columns.ts';
import type { ExclusionsConfig } from './exclusion-settings.ts';
import type { HubSpotConfig } from './hubspot-settings.ts';
import type { ServiceOutput } from './service-output-settings.ts';
import type { ScheduleConfig } from '../calendar/schedule-config.ts';
import type { Secret } from './secret.ts';
import type { ServiceConfig } from './service-settings.ts';
import type { TemporalConfig } from './temporal-settings.ts';

/** What the program runs on: every default filled in, paths absolute, durations in milliseconds, secrets resolved. */
export interface Config {
  readonly service: ServiceConfig;
  readonly hubspot: HubSpotConfig;
  /** null: SQLite in the data folder. */
  readonly ledger: { readonly databaseUrl: Secret | null };
  readonly temporal: TemporalConfig;
  readonly polling: {
    readonly profileMilliseconds: number;
    readonly orderFirstMilliseconds: number;
    readonly orderMaxMilliseconds: number;
    readonly outputFirstMilliseconds: number;
    readonly outputMaxMilliseconds: number;
    readonly outputGiveUpMilliseconds: number;
  };
  readonly limits: {
    /** Companies that one run may order. */
    readonly maxBriefingsPerRun: number;
  };
  /** Defaults included. */
  readonly mapping: CrmMapping;
  readonly contacts: ContactPolicy;
  readonly exclusions: Readonly<Record<string, ExclusionsConfig>>;
  readonly runs: Readonly<Record<string, RunConfig>>;
}

interface CommonRunConfig {
  readonly title: string;
  /** The body of the service, hence in its own spelling. */
  readonly profile: ProfileInput;
  readonly features: readonly ('COMPANY_DATA' | 'CONTACTS' | 'ANALYSIS')[];
  readonly webhookUrl: string | null;
  readonly spreadsheets: {
    readonly directory: string;
    readonly csv: boolean;
    readonly xlsx: boolean;
    readonly rows: 'slot' | 'prospect';
    /** Header to path of further columns. */
    readonly columns: Readonly<Record<string, string>>;
  };
  readonly serviceOutputs: readonly ServiceOutput[];
  readonly crm: boolean;
  /** `expect.min_delivered`, 0 to 100. */
  readonly minDeliveredPercent: number | null;
  /** null: it starts only when somebody says so. */
  readonly schedule: ScheduleConfig | null;
  /** Of what the file says about the run, wherever the file lies; its schedule is no part of it. */
  readonly digest: string;
}

export interface DiscoveryRunConfig extends CommonRunConfig {
  readonly kind: 'discovery';
  readonly briefingQuantity: number;
  /** Names in `Config.exclusions`. */
  readonly exclusions: readonly string[];
}

export interface EnrichmentRunConfig extends CommonRunConfig {
  readonly kind: 'enrichment';
  readonly companies: CompaniesSource;
}

export interface FileCompanies {
  readonly from: 'csv' | 'xlsx';
  readonly path: string;
  /** Whether the file's external_id column holds HubSpot record ids. */
  readonly externalIds: 'record_id' | 'other';
  /** Name of the sheet of an Excel file; null: the first visible one. */
  readonly sheet: string | null;
  /** Number of its header row, from 1; null: the first one that is not blank. */
  readonly headerRow: number | null;
  readonly columns: ColumnSettings | null;
}

export type CompaniesSource = FileCompanies | { readonly from: 'hubspot'; readonly lifecycleStages: readonly string[] };

export type RunConfig = DiscoveryRunConfig | EnrichmentRunConfig;
