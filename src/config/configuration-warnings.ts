/** Warnings about settings that are valid but probably unintended. */
import { searchDigest } from './profile-settings.ts';
import { isKnownReasonCode, reasonCodes } from '../service/contract/reason-codes.ts';
import type { Config } from './config.ts';
import { warnOfCountries } from './country-settings.ts';
import { warnOfCutTexts } from './cut-texts.ts';
import { warnOfDoubtfulSettings } from './doubtful-settings.ts';
import { toDeliveryPlan } from './run-plan.ts';
import type { RunConfig } from './run-settings.ts';
import { selectRun } from './select-run.ts';
import { findExclusionsOfFile } from './shared-source-files.ts';
import { toWrittenContent } from '../delivery/mapping/written-content.ts';
import { warnOfSchedules } from './doubtful-schedules.ts';

/** `runName`: what concerns this run, also beside the others; null: all of the file. */
export function findConfigurationWarnings(file: Config, runName: string | null = null): string[] {
  const config = runName === null ? file : selectRun(file, runName);
  const names = Object.keys(config.runs);
  return [
    ...(runName === null ? warnOfUnusedExclusions(file) : []),
    ...warnOfMissingExclusions(file, names),
    ...warnOfExcludedSources(file, names),
    ...warnOfSchedules(config, new Date()),
    ...warnOfSharedProfiles(file, names),
    ...warnOfSharedTitles(file, names),
    ...warnOfRepeatedDiscoveries(file, names),
    ...warnOfExcludedStages(file, names),
    ...warnOfCountries(config),
    ...warnOfItems(config),
    ...warnOfDoubtfulSettings(config),
    ...warnOfCutTexts(config),
  ];
}

function warnOfUnusedExclusions({ exclusions, runs }: Config): string[] {
  const used = new Set(Object.values(runs).flatMap((run) => run.exclusions));
  return Object.keys(exclusions).flatMap((name) =>
    used.has(name)
      ? []
      : [`exclusions.${name} is used by no run: add it to runs.NAME.exclusions of the runs that it is for`],
  );
}

/** An enrichment orders companies that are already known, and may be meant for those that discoveries leave out. */
function warnOfMissingExclusions({ runs }: Config, names: readonly string[]): string[] {
  const others = [...new Set(Object.values(runs).flatMap(({ exclusions }) => exclusions))];
  if (others.length === 0) return [];
  return names.flatMap((name) =>
    runs[name]?.kind !== 'discovery' || runs[name].namesExclusions
      ? []
      : [
          `runs.${name}.exclusions is missing: this discovery may buy every company, also those of ${others.join(', ')}, which other runs do not buy. Name the exclusions that it must use, or write exclusions: [] if it may buy them`,
        ],
  );
}

/** An exclusion that the run uses too leaves out every row, which ends the run before the order. */
function warnOfExcludedSources({ runs, exclusions }: Config, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const found = findExclusionsOfFile(runs[name]?.companies ?? null, exclusions);
    if (found.some((exclusion) => runs[name]?.exclusions.includes(exclusion))) return [];
    return found.map(
      (exclusion) =>
        `runs.${name}.companies is the file of exclusions.${exclusion}: the run would order the companies that the exclusion keeps out of other runs. If that is not intended, correct the path`,
    );
  });
}

/** Discoveries with the same search profile: a run that was copied and renamed may buy the same companies again. */
function warnOfSharedProfiles({ runs }: Config, shown: readonly string[]): string[] {
  const discoveries = Object.entries(runs).filter(([, { kind }]) => kind === 'discovery');
  return findSharing(discoveries, shown, ({ profile }) => searchDigest(profile)).map(
    ({ names }) =>
      `runs ${names} are discoveries with the same search profile: each may buy the companies of the others again. If that is not intended, change the profile, or delete the runs that you do not need`,
  );
}

/** The service lists orders by their titles, and an order that the ledger does not have is compared with the title of a run. */
function warnOfSharedTitles({ runs }: Config, shown: readonly string[]): string[] {
  return findSharing(Object.entries(runs), shown, ({ title }) => title).map(
    ({ names, value }) =>
      `runs ${names} have the same title ${JSON.stringify(value)}: an order whose answer was lost, or that the ledger does not have, is found by its title, and may be taken for that of the other run. Give each run its own title`,
  );
}

/** The names of runs with the same value, of which one is shown. */
function findSharing(
  runs: readonly (readonly [string, RunConfig])[],
  shown: readonly string[],
  valueOf: (run: RunConfig) => string,
): { readonly names: string; readonly value: string }[] {
  return [...Map.groupBy(runs, ([, run]) => valueOf(run))].flatMap(([value, group]) =>
    group.length < 2 || !group.some(([name]) => shown.includes(name))
      ? []
      : [{ names: group.map(([name]) => name).join(', '), value }],
  );
}

/** The specification does not say whether the service delivers a company to the next order of a profile again. */
function warnOfRepeatedDiscoveries({ runs, exclusions }: Config, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const run = runs[name];
    if (run?.kind !== 'discovery' || run.schedule === null) return [];
    if (run.exclusions.some((each) => exclusions[each]?.source.delivered !== undefined)) return [];
    return [
      `runs.${name}.schedule orders companies at each start, and the service may deliver those of the last start again. To leave them out, add an exclusion with within (exclusions: {delivered: {within: 365d}}) and name it in runs.${name}.exclusions`,
    ];
  });
}

/** What a run delivers would be excluded from all later orders, and HubSpot moves no company to an earlier stage. */
function warnOfExcludedStages({ mapping, runs, exclusions }: Config, names: readonly string[]): string[] {
  const field = mapping.companies['lifecyclestage'];
  const words = field === undefined ? [] : (toWrittenContent(field).words ?? []);
  if (!names.some((name) => runs[name]?.crm === true)) return [];
  return Object.entries(exclusions).flatMap(([name, { source }]) => {
    const stages = source.lifecycleStages.filter((stage) => words.includes(stage));
    return stages.length === 0
      ? []
      : [
          `mapping.companies.lifecyclestage writes ${stages.join(', ')}, and exclusions.${name} excludes the companies of that stage: every delivered company would count as one of them, and HubSpot moves none to an earlier stage. Write the stage of a new prospect, or remove the setting`,
        ];
  });
}

/** Only ENRICHED rows create records; those of other rows exist only if external ids name them. */
function warnOfItems(config: Config): string[] {
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
