/** `runs`: what `prospect-sync run NAME` orders, and where the results go. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { features, limits } from '../service/contract/index.ts';
import { orderInputSchema } from '../service/contract/order.ts';
import { toPrintableKey } from '../base/text/printable-text.ts';
import { closestMatch } from '../base/text/suggestions.ts';
import { checkCompanies, companiesSchema, companiesTemplate, toCompaniesSource } from './enrichment-source-settings.ts';
import { checkCountries } from './country-settings.ts';
import { checkLanguage } from './language-settings.ts';
import { checkQuantity, expectSchema } from './limit-settings.ts';
import { toSheetLanguage } from '../delivery/files/sheet-language.ts';
import { problemAt, toKnownNames, type PathProblem } from './problems.ts';
import {
  checkOrderTexts,
  checkProfile,
  orderTextsSchema,
  profileIdSchema,
  profileSchema,
  profileTemplate,
  type RunProfile,
} from './profile-settings.ts';
import { checkSchedule, scheduleSchema, scheduleTemplate } from './schedule-settings.ts';
import {
  checkColumns,
  checkHubSpotLists,
  hubspotListsSchema,
  hubspotListsTemplate,
  toListNames,
  checkFileName,
  spreadsheetsSchema,
  spreadsheetsTemplate,
} from './output-settings.ts';
import {
  checkServiceOutputs,
  serviceOutputsSchema,
  serviceOutputsTemplate,
  toServiceOutputs,
} from './service-output-settings.ts';
import { filledText, flag, name } from './setting-values.ts';
import { childOf, namedEntries, validItems } from './partial-validation.ts';

/** The contract accepts plain http by form, but the service would refuse the order (A54). */
const webhookUrl = z.url({ protocol: /^https$/ });

const kind = <Kind extends 'discovery' | 'enrichment'>(value: Kind) =>
  z.literal(value).describe('discovery finds new companies, enrichment completes companies that you have');

const common = {
  title: filledText.optional().describe('Title of the order; by default the name of the run'),
  profile: profileSchema.optional(),
  profile_id: profileIdSchema,
  order: orderTextsSchema,
  features: z
    .array(z.enum(features))
    .min(1)
    .default([...features])
    .describe('What the service delivers: COMPANY_DATA, CONTACTS, ANALYSIS'),
  webhook_url: webhookUrl
    .optional()
    .describe(
      'Address (https) that the service notifies of the order status; `doctor` warns when nothing answers there',
    ),
  spreadsheets: spreadsheetsSchema,
  service_outputs: serviceOutputsSchema,
  exclusions: z
    .array(z.string())
    .max(limits.blacklistIdsPerAssignment.max)
    .default([])
    .describe('Names from exclusions in this file, at most 100'),
  crm: flag.default(true).describe('Write the results to HubSpot'),
  hubspot_lists: hubspotListsSchema,
  expect: expectSchema,
  schedule: scheduleSchema,
};

const discoverySchema = z.strictObject({
  kind: kind('discovery'),
  ...common,
  briefing_quantity: orderInputSchema.shape.briefing_quantity
    .unwrap()
    .describe('For discovery: number of qualified companies to order, a whole number above 0'),
});

const enrichmentSchema = z.strictObject({ kind: kind('enrichment'), ...common, companies: companiesSchema });

export const runsSchema = z
  .record(
    name,
    z.discriminatedUnion('kind', [discoverySchema, enrichmentSchema], {
      error: (issue) => (issue.code === 'invalid_union' ? 'must be one of discovery, enrichment' : undefined),
    }),
  )
  .default({})
  .describe('What `prospect-sync run NAME` does, by name');

type RunSettings = z.infer<typeof runsSchema>[string];

export function checkRuns(file: unknown, env: Environment): PathProblem[] {
  const exclusions = new Set(namedEntries(childOf(file, 'exclusions')).map(([exclusion]) => exclusion));
  return namedEntries(childOf(file, 'runs')).flatMap(([runName, run]) => {
    const path = ['runs', runName];
    const quantity = discoverySchema.shape.briefing_quantity.safeParse(childOf(run, 'briefing_quantity'));
    const language = profileSchema.shape.output_language.safeParse(childOf(childOf(run, 'profile'), 'output_language'));
    return [
      ...checkProfile(path, run),
      ...checkOrderTexts(path, run, childOf(file, 'service')),
      ...checkCountries(path, run),
      ...checkLanguage([...path, 'profile', 'output_language'], childOf(childOf(run, 'profile'), 'output_language')),
      ...(quantity.success && childOf(run, 'kind') === 'discovery'
        ? checkQuantity([...path, 'briefing_quantity'], quantity.data, childOf(file, 'limits'))
        : []),
      ...checkExclusionNames([...path, 'exclusions'], childOf(run, 'exclusions'), exclusions),
      ...checkCompanies([...path, 'companies'], childOf(run, 'companies'), env),
      ...checkDestinations(path, run),
      ...checkHubSpotLists(path, run),
      ...checkColumns([...path, 'spreadsheets'], childOf(run, 'spreadsheets'), toSheetLanguage(language.data ?? '')),
      ...checkFileName([...path, 'spreadsheets'], childOf(run, 'spreadsheets')),
      ...checkServiceOutputs(
        [...path, 'service_outputs'],
        childOf(run, 'service_outputs'),
        language.success ? (language.data ?? 'en') : null,
      ),
      ...checkSchedule([...path, 'schedule'], childOf(run, 'schedule')),
    ];
  });
}

/** An order that is delivered nowhere is paid for nothing. */
function checkDestinations(path: readonly PropertyKey[], run: unknown): PathProblem[] {
  const files = childOf(run, 'spreadsheets');
  const outputs = childOf(run, 'service_outputs');
  const isNowhere =
    childOf(run, 'crm') === false &&
    childOf(files, 'csv') === false &&
    childOf(files, 'xlsx') === false &&
    (outputs === undefined || (Array.isArray(outputs) && outputs.length === 0));
  const remedy = 'Set crm, spreadsheets.csv or spreadsheets.xlsx to true, or add service_outputs';
  return isNowhere ? [problemAt(path, 'delivers its results nowhere', remedy, 'key')] : [];
}

function checkExclusionNames(path: readonly PropertyKey[], names: unknown, known: ReadonlySet<string>): PathProblem[] {
  const seen = new Set<string>();
  return validItems(z.string(), names).flatMap(([index, exclusion]) => {
    if (seen.has(exclusion)) return [problemAt([...path, index], 'is named twice', 'Remove one of them')];
    seen.add(exclusion);
    if (known.has(exclusion)) return [];
    const remedy = () => {
      const suggestion = closestMatch(exclusion, [...known]);
      return suggestion === null ? `Known there: ${toKnownNames([...known])}` : `Did you mean ${suggestion}?`;
    };
    return [problemAt([...path, index], `exclusions has no "${toPrintableKey(exclusion)}"`, remedy)];
  });
}

interface RunContext {
  readonly runName: string;
  readonly digest: string;
  /** Whether the file has the setting `exclusions` of the run, if only as an empty list. */
  readonly namesExclusions: boolean;
  readonly env: Environment;
  readonly toPath: (path: string) => string;
}

export function toRun(run: RunSettings, { runName, digest, namesExclusions, env, toPath }: RunContext) {
  const companies = run.kind === 'discovery' ? null : toCompaniesSource(run.companies, { env, toPath });
  const ordered: readonly RunSettings['features'][number][] = run.features;
  const settings = {
    title: run.title ?? runName,
    profile: toProfile(run),
    /** null: the texts of the profile. */
    orderTexts: run.order ?? null,
    features: ordered,
    webhookUrl: run.webhook_url ?? null,
    spreadsheets: {
      ...run.spreadsheets,
      directory: toPath(run.spreadsheets.directory),
      language: run.spreadsheets.language ?? toSheetLanguage(run.profile?.output_language ?? 'en'),
    },
    serviceOutputs: toServiceOutputs(run.service_outputs, run.profile?.output_language ?? 'en'),
    /** Names in `Config.exclusions`. */
    exclusions: run.exclusions,
    namesExclusions,
    crm: run.crm,
    /** null: the written records are added to no list. */
    hubspotLists: toListNames(run.hubspot_lists),
    /** 0 to 100. */
    minDeliveredPercent: run.expect?.min_delivered ?? null,
    /** 0 to 100. */
    maxWithoutPeoplePercent: run.expect?.max_without_people ?? null,
    /** null: only a user starts the run. */
    schedule: run.schedule ?? null,
    /** Digest of the settings that the run depends on, without its schedule: see config.ts. */
    digest,
  };
  return run.kind === 'discovery'
    ? { kind: run.kind, ...settings, briefingQuantity: run.briefing_quantity, companies: null }
    : { kind: run.kind, ...settings, briefingQuantity: null, companies };
}

export type RunConfig = Readonly<ReturnType<typeof toRun>>;

/** `checkProfile` requires one of them. */
function toProfile({ profile, profile_id: profileId }: RunSettings): RunProfile {
  if (profile !== undefined) return profile;
  if (profileId === undefined) throw new RangeError('a checked run has a profile or a profile_id');
  return { profile_id: profileId };
}

export const runsTemplate = `# What \`npx prospect-sync run NAME\` does. Names: a-z, 0-9, -.
runs:
  # Discovery finds new companies.
  dach-discovery:
    kind: discovery
    # title: DACH, November               # of the order; by default the name of the run
${profileTemplate}    briefing_quantity: 300                # number of companies to order
    exclusions: [customers]               # names from above, at most 100
    # features: [COMPANY_DATA, CONTACTS, ANALYSIS]   # by default all three
    # webhook_url: https://hooks.example.com/order-status  # https address that the service notifies of the order status
    # crm: true                           # false: write nothing to HubSpot
${hubspotListsTemplate}${spreadsheetsTemplate}${serviceOutputsTemplate}    # expect:                             # otherwise the run ends with a finding (exit code 3)
    #   min_delivered: 80%                # of the ordered companies; an empty delivery is always a finding
    #   max_without_people: 10%           # of the enriched companies, if CONTACTS are ordered
${scheduleTemplate}
  # Enrichment completes companies that you have. It takes all settings of a run above except briefing_quantity. Rows
  # that match one of its exclusions are not ordered.
  crm-enrichment:
    kind: enrichment
    profile: *dach
${companiesTemplate}`;
