/**
 * What a run does, as plain data. The worker builds it from its own configuration: inputs of workflows and activities only
 * name runs, exclusions and orders, because anyone with access to Temporal can choose inputs. Plans contain settings and paths,
 * never companies or people.
 */
import type { CertificatesConfig } from './certificate-settings.ts';
import type { ExclusionsConfig } from './exclusion-settings.ts';
import { toCsvForm, toStoredFileName } from './output-settings.ts';
import type { ServiceOutput } from './service-output-settings.ts';
import type { Config } from './config.ts';
import type { PollingConfig } from './polling-settings.ts';
import type { RunConfig } from './run-settings.ts';
import type { BlacklistMatchingTime } from './service-settings.ts';
import type { ReplyPolicy } from './reply-policy.ts';
import { toCrmPlan, type CrmPlan } from '../delivery/mapping/crm-plan.ts';
import type { ListNames } from '../delivery/mapping/list-names.ts';
import { websitePath } from '../delivery/mapping/source-paths.ts';
import { readsWebsites } from '../delivery/mapping/written-content.ts';
import { digest } from '../base/json/canonical-json.ts';
import { defaultCsvForm, type CsvForm } from '../base/spreadsheet/csv-form.ts';
import type { SpreadsheetLayout } from '../base/spreadsheet/file-content.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

/** Settings of an exclusion. */
export interface ExclusionPlan extends ExclusionsConfig {
  readonly name: string;
}

export interface SpreadsheetPlan extends SpreadsheetLayout {
  readonly directory: string;
  readonly kinds: readonly ('csv' | 'xlsx')[];
  /** Template of the files' names; absent: the order id. */
  readonly fileName?: string;
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
  /** Lists of HubSpot that get the written records; null: none. */
  readonly lists: ListNames | null;
  readonly spreadsheets: SpreadsheetPlan | null;
  /** Present: the mapping or a column has the text of the company's website, which is fetched for it. */
  readonly websites?: true;
  /** null: there are none. */
  readonly serviceOutputs: ServiceOutputsPlan | null;
  /** Folder for files that prove findings; they are written even without spreadsheets. */
  readonly evidenceDirectory: string;
  /** Whether the external ids of submitted rows are CRM record ids, whose records are then updated. */
  readonly externalIdsAreRecordIds: boolean;
}

/** The rows of an enrichment's source, before the exclusions of the run. */
export interface AnnouncedRows {
  readonly rows: number;
  /** Of the rows in any order. */
  readonly digest: string;
}

/** Names a run. The worker reads its plan from its own configuration. */
export interface RunReference {
  readonly runName: string;
  /** Digest of the configuration when the schedule was applied, or when the command was started. */
  readonly digest: string;
  /**
   * A scheduled run uses the current configuration, and its schedule confirms its order. A run that a command started orders only if the
   * worker's configuration has the same digest. An unconfirmed one fails if its order looks like a mistake (assert-intended.ts).
   */
  readonly start: 'scheduled' | 'confirmed' | 'unconfirmed';
  /** Name of the installation that starts it: a worker of another one refuses it. null: not known, as without a ledger. */
  readonly installation: string | null;
  /** What the command has announced; null: nothing, or the source is read later. */
  readonly announced: AnnouncedRows | null;
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

/** The settings that a plan has in `delivery`, and one that only warnings use. */
type NotPlanned = 'crm' | 'namesExclusions' | 'hubspotLists' | 'spreadsheets' | 'serviceOutputs';

/**
 * The settings of a run, with those that other sections of the file add. `briefingQuantity` is null for an enrichment, `companies` for
 * a discovery.
 */
export interface RunPlan extends Omit<RunConfig, 'exclusions' | NotPlanned> {
  readonly runName: string;
  /** Most rows of an enrichment. */
  readonly maxBriefings: number;
  /** `limits.repeat_after`; 0: repeated orders are not asked about. */
  readonly repeatAfterMilliseconds: number;
  readonly exclusions: readonly ExclusionPlan[];
  readonly delivery: DeliveryPlan;
}

/** The plan of a configured run. */
export function toRunPlan(config: Config, runName: string, run: RunConfig): RunPlan {
  const { crm, namesExclusions, hubspotLists, spreadsheets, serviceOutputs, ...settings } = run;
  return {
    ...settings,
    runName,
    maxBriefings: config.limits.maxBriefingsPerRun,
    repeatAfterMilliseconds: config.limits.repeatAfterMilliseconds,
    exclusions: toExclusionPlans(config, run.exclusions),
    delivery: toDeliveryPlan(config, run),
  };
}

/** The configuration of a worker. */
export interface WorkerConfiguration {
  readonly polling: PollingConfig;
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
    polling: config.polling,
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

/** Companies from the CRM carry their record id as external id; those of a file or a query only if `external_ids` says so. */
export function toDeliveryPlan({ mapping, contacts, polling }: Config, run: RunConfig): DeliveryPlan {
  const { directory, csv, xlsx, rows, columns, language } = run.spreadsheets;
  const fileName = toStoredFileName(run.spreadsheets.file_name);
  const csvForm = toCsvForm(csv);
  const further = Object.keys(columns).length === 0 ? {} : { columns };
  const named = {
    ...(fileName === null ? {} : { fileName }),
    ...(language === 'de' ? { language } : {}),
  };
  const kinds = [...(csvForm === null ? [] : (['csv'] as const)), ...(xlsx ? (['xlsx'] as const) : [])];
  const isColumn = kinds.length > 0 && Object.values(columns).includes(websitePath);
  return {
    crm: run.crm ? toCrmPlan(mapping, contacts) : null,
    lists: run.hubspotLists,
    spreadsheets:
      kinds.length === 0 ? null : { directory, kinds, rows, ...named, ...further, ...toStoredForm(csvForm) },
    ...(isColumn || (run.crm && readsWebsites(mapping)) ? { websites: true } : {}),
    serviceOutputs: run.serviceOutputs.length === 0 ? null : toServiceOutputsPlan(polling, run),
    evidenceDirectory: directory,
    externalIdsAreRecordIds:
      run.companies !== null && (run.companies.from === 'hubspot' || run.companies.externalIds === 'record_id'),
  };
}

/** The default form is left out, so that a file has one layout however its run writes that form. */
function toStoredForm(form: CsvForm | null): Pick<SpreadsheetLayout, 'csv'> {
  return form === null || digest({ ...form }) === digest({ ...defaultCsvForm }) ? {} : { csv: form };
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
