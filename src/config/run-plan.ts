/**
 * What a run does, as plain data. The worker builds it from its own configuration: inputs of workflows and activities only
 * name runs, exclusions and orders, because anyone with access to Temporal can choose inputs. Plans contain settings and paths,
 * never companies or people.
 */
import type { CertificatesConfig } from './certificate-settings.ts';
import type { ExclusionsConfig } from './exclusion-settings.ts';
import type { ServiceOutput } from './output-settings.ts';
import type { Config } from './config.ts';
import type { CompaniesSource } from './enrichment-source-settings.ts';
import type { RunConfig } from './run-settings.ts';
import type { BlacklistMatchingTime } from './service-settings.ts';
import type { OrderTexts, RunProfile } from './profile-settings.ts';
import type { ReplyPolicy } from './reply-policy.ts';
import { toCrmPlan, type CrmPlan } from '../delivery/mapping/crm-plan.ts';
import type { ListNames } from '../delivery/mapping/list-names.ts';
import { digest } from '../base/json/canonical-json.ts';
import type { SpreadsheetLayout } from '../base/spreadsheet/file-content.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

export type RunKind = 'discovery' | 'enrichment';

/** Settings of an exclusion. */
export interface ExclusionPlan extends ExclusionsConfig {
  readonly name: string;
}

export interface SpreadsheetPlan extends SpreadsheetLayout {
  readonly directory: string;
  readonly kinds: readonly ('csv' | 'xlsx')[];
}

/** The outputs that the service makes of the results. */
export interface ServiceOutputsPlan {
  readonly wanted: readonly ServiceOutput[];
  /** Folder of the files. */
  readonly directory: string;
  readonly firstPollMs: number;
  readonly longestPollMs: number;
  /** Timeout of each step of an output: requesting, polling and downloading it. */
  readonly giveUpMs: number;
}

/** How the results of an order are delivered from the ledger. */
export interface DeliveryPlan {
  /** null: nothing is written to the CRM. */
  readonly crm: CrmPlan | null;
  /** Lists of HubSpot that get the written records. Absent: none. */
  readonly lists?: ListNames;
  readonly spreadsheets: SpreadsheetPlan | null;
  /** Absent: there are none. */
  readonly serviceOutputs?: ServiceOutputsPlan;
  /** Folder for files that prove findings; they are written even without spreadsheets. */
  readonly evidenceDirectory: string;
  /** Whether the external ids of submitted rows are CRM record ids, whose records are then updated. */
  readonly externalIdsAreRecordIds: boolean;
}

export interface ActivityTimeouts {
  readonly profilePollMs: number;
  readonly orderFirstPollMs: number;
  readonly orderLongestPollMs: number;
  /** After this time without a heartbeat another worker retries the activity. */
  readonly heartbeatTimeoutMs: number;
}

/** Names a run. The worker reads its plan from its own configuration. */
export interface RunReference {
  readonly runName: string;
  /** Digest of the configuration when the schedule was applied, or when the command was started. */
  readonly digest: string;
  /** Present: the run orders only if the worker's configuration has the same digest, which a user has confirmed. */
  readonly exact?: true;
}

/** A run whose plan has been read. It no longer orders when the worker's configuration has another digest. */
export interface StartedRun {
  readonly runName: string;
  readonly digest: string;
}

/** A plan by the worker's current configuration. */
export interface ResolvedRun {
  readonly plan: RunPlan;
  readonly digest: string;
}

export interface RunPlan {
  readonly runName: string;
  /** Digest of the configuration of the run. */
  readonly digest: string;
  readonly kind: RunKind;
  readonly title: string;
  readonly profile: RunProfile;
  /** Replace those of the profile in orders; absent when not set. */
  readonly orderTexts?: OrderTexts;
  readonly features: readonly ('COMPANY_DATA' | 'CONTACTS' | 'ANALYSIS')[];
  readonly webhookUrl: string | null;
  /** Discovery only. */
  readonly briefingQuantity: number | null;
  /** Most rows of an enrichment; absent: any number. */
  readonly maxBriefings?: number;
  readonly exclusions: readonly ExclusionPlan[];
  /** Enrichment only. */
  readonly companies: CompaniesSource | null;
  /** A smaller share of delivered companies is a finding; absent: only an empty delivery is one. */
  readonly minDeliveredPercent?: number;
  readonly maxWithoutPeoplePercent?: number;
  readonly delivery: DeliveryPlan;
  readonly timeouts: ActivityTimeouts;
}

/** The plan of a configured run. */
export function toRunPlan(config: Config, runName: string, run: RunConfig): RunPlan {
  const discovery = run.kind === 'discovery';
  return {
    runName,
    digest: run.digest,
    kind: run.kind,
    title: run.title,
    profile: run.profile,
    ...(run.orderTexts === null ? {} : { orderTexts: run.orderTexts }),
    features: run.features,
    webhookUrl: run.webhookUrl,
    maxBriefings: config.limits.maxBriefingsPerRun,
    briefingQuantity: discovery ? run.briefingQuantity : null,
    exclusions: toExclusionPlans(config, run.exclusions),
    companies: discovery ? null : run.companies,
    ...(run.minDeliveredPercent === null ? {} : { minDeliveredPercent: run.minDeliveredPercent }),
    ...(run.maxWithoutPeoplePercent === null ? {} : { maxWithoutPeoplePercent: run.maxWithoutPeoplePercent }),
    delivery: toDeliveryPlan(config, run),
    timeouts: toActivityTimeouts(config),
  };
}

/** The configuration of a worker. */
export interface WorkerConfiguration {
  readonly timeouts: ActivityTimeouts;
  /** Settings for writing records; also set if no current run writes records. */
  readonly crm: CrmPlan;
  readonly certificates: CertificatesConfig;
  readonly replies: ReplyPolicy;
  /** When the service matches the blacklists of an order. */
  readonly blacklistsMatched: BlacklistMatchingTime;
  /** null where the configuration has no run of that name. */
  findRun(runName: string): ResolvedRun | null;
  /** null where the configuration has no exclusion of that name. */
  findExclusion(name: string): ExclusionPlan | null;
  listRuns(): readonly RunPlan[];
  listExclusions(): readonly ExclusionPlan[];
}

export function toWorkerConfiguration(config: Config): WorkerConfiguration {
  const { runs, exclusions, mapping, contacts, certificates } = config;
  return {
    timeouts: toActivityTimeouts(config),
    crm: toCrmPlan(mapping, contacts),
    certificates,
    replies: config.replies.policy,
    blacklistsMatched: config.service.blacklistsMatched,
    findRun(runName) {
      const run = getOwnProperty(runs, runName);
      return run === undefined ? null : { plan: toRunPlan(config, runName, run), digest: run.digest };
    },
    findExclusion(name) {
      const exclusion = getOwnProperty(exclusions, name);
      return exclusion === undefined ? null : toExclusionPlan(name, exclusion);
    },
    listRuns: () => Object.entries(runs).map(([runName, run]) => toRunPlan(config, runName, run)),
    listExclusions: () => toExclusionPlans(config, Object.keys(exclusions)),
  };
}

export function toActivityTimeouts({ polling, temporal }: Config): ActivityTimeouts {
  return {
    profilePollMs: polling.profileMilliseconds,
    orderFirstPollMs: polling.orderFirstMilliseconds,
    orderLongestPollMs: polling.orderMaxMilliseconds,
    heartbeatTimeoutMs: temporal.heartbeatTimeoutMilliseconds,
  };
}

/** Companies from the CRM carry their record id as external id; those of a file or a query only if `external_ids` says so. */
export function toDeliveryPlan({ mapping, contacts, polling }: Config, run: RunConfig): DeliveryPlan {
  const { directory, csv, xlsx, rows, columns } = run.spreadsheets;
  const further = Object.keys(columns).length === 0 ? {} : { columns };
  const kinds = [...(csv ? (['csv'] as const) : []), ...(xlsx ? (['xlsx'] as const) : [])];
  return {
    crm: run.crm ? toCrmPlan(mapping, contacts) : null,
    ...(run.hubspotLists === null ? {} : { lists: run.hubspotLists }),
    spreadsheets: kinds.length === 0 ? null : { directory, kinds, rows, ...further },
    ...(run.serviceOutputs.length === 0 ? {} : { serviceOutputs: toServiceOutputsPlan(polling, run) }),
    evidenceDirectory: directory,
    externalIdsAreRecordIds:
      run.kind === 'enrichment' && (run.companies.from === 'hubspot' || run.companies.externalIds === 'record_id'),
  };
}

function toServiceOutputsPlan(
  polling: Config['polling'],
  { serviceOutputs, spreadsheets }: RunConfig,
): ServiceOutputsPlan {
  return {
    wanted: serviceOutputs,
    directory: spreadsheets.directory,
    firstPollMs: polling.outputFirstMilliseconds,
    longestPollMs: polling.outputMaxMilliseconds,
    giveUpMs: polling.outputGiveUpMilliseconds,
  };
}

function toExclusionPlans({ exclusions }: Config, names: readonly string[]): ExclusionPlan[] {
  return names.flatMap((name) => {
    const config = getOwnProperty(exclusions, name);
    return config === undefined ? [] : [toExclusionPlan(name, config)];
  });
}

export function toExclusionPlan(name: string, config: ExclusionsConfig): ExclusionPlan {
  return { name, ...config };
}

/** Changes with every setting of an exclusion, the folder of its files included. */
export function exclusionDigest(exclusion: ExclusionPlan): string {
  return digest({ ...exclusion });
}
