/** Warnings about settings that are valid but probably unintended. */
import { searchDigest } from './profile-settings.ts';
import { isKnownReasonCode, reasonCodes } from '../service/contract/reason-codes.ts';
import { shortestInterval } from './calendar/schedule-config.ts';
import { formatDuration } from '../base/text/format-time.ts';
import type { Config } from './config.ts';
import { warnOfCountries } from './country-settings.ts';
import { warnOfCutTexts } from './cut-texts.ts';
import { warnOfDoubtfulSettings } from './doubtful-settings.ts';
import { toDeliveryPlan } from './run-plan.ts';

export function findConfigurationWarnings(config: Config): string[] {
  return [
    ...warnOfUnusedExclusions(config),
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

/** A cron expression without a minute, such as `* 6 * * 1`, starts sixty times in an hour. */
const frequentMs = 3_600_000;

/** Of `validate`, `plan` and `apply`. */
export function warnOfSchedules(config: Pick<Config, 'runs'>): string[] {
  return [...warnOfFrequentStarts(config), ...warnOfBothDays(config)];
}

/**
 * crontab starts on both: on each such day of the month, and on each such day of the week. Seven days of a month with a day of the week are
 * meant as they act: `1-7` and `MON` is the first Monday.
 */
function warnOfBothDays({ runs }: Pick<Config, 'runs'>): string[] {
  return Object.entries(runs).flatMap(([name, { schedule }]) =>
    schedule?.calendars.some(({ dayOfMonth, dayOfWeek }) => dayOfMonth.length < 7 && dayOfWeek.length < 7)
      ? [
          `runs.${name}.schedule names days of the month and days of the week, and starts only on days that match both, unlike crontab. To start on either, write two expressions`,
        ]
      : [],
  );
}

function warnOfFrequentStarts({ runs }: Pick<Config, 'runs'>): string[] {
  return Object.entries(runs).flatMap(([name, { schedule }]) => {
    const interval = schedule === null ? null : shortestInterval(schedule);
    if (interval === null || interval >= frequentMs) return [];
    return [
      `runs.${name}.schedule has starts that are ${formatDuration(interval)} apart, and each start places an order, unless the one before is in progress`,
    ];
  });
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
