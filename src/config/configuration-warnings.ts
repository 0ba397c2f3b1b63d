/** Warnings about settings that are valid but probably unintended. */
import { searchDigest } from './profile-settings.ts';
import { isKnownReasonCode, reasonCodes } from '../service/contract/reason-codes.ts';
import type { Config } from './config.ts';
import { warnOfCountries } from './country-settings.ts';
import { warnOfCutTexts } from './cut-texts.ts';
import { warnOfDoubtfulSettings } from './doubtful-settings.ts';
import { toDeliveryPlan } from './run-plan.ts';
import { warnOfSchedules } from './doubtful-schedules.ts';

export function findConfigurationWarnings(config: Config): string[] {
  return [
    ...warnOfUnusedExclusions(config),
    ...warnOfMissingExclusions(config),
    ...warnOfExcludedSources(config),
    ...warnOfSchedules(config),
    ...warnOfSharedProfiles(config),
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
function warnOfMissingExclusions({ runs }: Config): string[] {
  return Object.entries(runs).flatMap(([name, { exclusionsOfOthers: others }]) =>
    others.length === 0
      ? []
      : [
          `runs.${name}.exclusions is missing: this discovery excludes nobody, and may buy companies of ${others.join(', ')}, which other runs leave out. Name what it must not buy, or write exclusions: [] if that is intended`,
        ],
  );
}

/** An exclusion that the run uses too leaves out every row, which ends the run before the order. */
function warnOfExcludedSources({ runs }: Config): string[] {
  return Object.entries(runs).flatMap(([name, { exclusions, exclusionsOfFile }]) =>
    exclusionsOfFile.some((exclusion) => exclusions.includes(exclusion))
      ? []
      : exclusionsOfFile.map(
          (exclusion) =>
            `runs.${name}.companies is the file of exclusions.${exclusion}: the run would order the companies that the exclusion keeps out of other runs. If that is not intended, correct the path`,
        ),
  );
}

/** Discoveries with the same search profile: a run that was copied and renamed may buy the same companies again. `runName`: only its own. */
export function warnOfSharedProfiles({ runs }: Pick<Config, 'runs'>, runName?: string): string[] {
  const discoveries = Object.entries(runs).filter(([, { kind }]) => kind === 'discovery');
  const groups = Map.groupBy(discoveries, ([, { profile }]) => searchDigest(profile));
  return [...groups.values()].flatMap((group) => {
    if (group.length < 2 || (runName !== undefined && !group.some(([name]) => name === runName))) return [];
    const names = group.map(([name]) => name).join(', ');
    return [
      `runs ${names} are discoveries with the same search profile: each may buy the companies of the others again. If that is not intended, change the profile, or delete the runs that you do not need`,
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
