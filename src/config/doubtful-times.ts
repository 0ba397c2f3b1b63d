/** Times that are valid and too short for what they count: in `90m`, m is minutes, and months are probably meant. */
import { dayMs } from '../base/day-milliseconds.ts';
import type { Config } from './config.ts';
import { toDurationWords } from './duration.ts';

/** A time that a setting has, the shortest that is probably meant, and what a shorter one leads to. */
interface CountedTime {
  readonly setting: string;
  /** null: not set. 0 is meant as it is written. */
  readonly time: number | null;
  readonly least: number;
  readonly result: string;
}

export function warnOfTimes(config: Config): string[] {
  const { service, hubspot, limits, polling, runs } = config;
  const times: CountedTime[] = [
    ...Object.entries({ service, hubspot }).map(([section, { timeoutMilliseconds: time }]) => ({
      setting: `${section}.timeout`,
      time,
      least: 1_000,
      result: 'calls that are answered end before their answer. Write 30s',
    })),
    {
      setting: 'limits.repeat_after',
      time: limits.repeatAfterMilliseconds,
      least: dayMs,
      result: 'run hardly ever asks before it repeats an order. Write days, such as 7d',
    },
    {
      setting: 'polling.output_give_up',
      time: polling.outputGiveUpMilliseconds,
      least: Math.max(60_000, polling.outputFirstMilliseconds),
      result: 'runs end without the outputs that the service has not made by then. Write 2h',
    },
    ...Object.entries(runs).map(([name, { schedule }]) => ({
      setting: `runs.${name}.schedule.catch_up`,
      time: schedule?.catchUpMilliseconds ?? null,
      least: 60_000,
      result: 'a start during a restart of Temporal is lost. Write 1h',
    })),
    ...Object.entries(config.exclusions).flatMap(([name, { source, deltaOverlapMs, fullScanEveryMs }]) => [
      {
        setting: `exclusions.${name}.within`,
        time: source.delivered?.withinMs ?? null,
        least: dayMs,
        result: 'the exclusion leaves out only what was delivered in that time. Write days, such as 365d',
      },
      {
        setting: `exclusions.${name}.delta_overlap`,
        time: fullScanEveryMs === null ? null : deltaOverlapMs,
        least: 60_000,
        result: 'a sync can miss changes that the search of HubSpot shows late. Write 10m',
      },
    ]),
  ];
  return [
    ...times.flatMap(({ setting, time, least, result }) =>
      time === null || time === 0 || time >= least
        ? []
        : [`${setting} is ${toDurationWords(time)}, which is below ${toDurationWords(least)}: ${result}`],
    ),
    ...warnOfRetention(config),
  ];
}

/** An order is paid, and its results are gone before anybody has looked at them. */
const shortRetentionDays = 30;

function warnOfRetention({ retention: { days }, limits, exclusions, runs }: Config): string[] {
  if (days === null) return [];
  const after = days === 1 ? 'a day' : `${days} days`;
  const isBelow = (time: number) => days * dayMs < time;
  const hasRows = Object.values(runs).some(({ kind }) => kind === 'enrichment');
  return [
    ...(days < shortRetentionDays
      ? [
          `retention.days is ${days}: data of an order are erased ${after} after it, and its files and records can then neither be written nor compared again. If that is not meant, write 365`,
        ]
      : []),
    ...Object.entries(exclusions).flatMap(([name, { source }]) =>
      source.delivered === undefined || !isBelow(source.delivered.withinMs)
        ? []
        : [
            `exclusions.${name}.within is ${toDurationWords(source.delivered.withinMs)}, and retention.days is ${days}: the companies of an order are erased ${after} after it, and then no longer excluded. Raise retention.days, or shorten within`,
          ],
    ),
    ...(hasRows && isBelow(limits.repeatAfterMilliseconds)
      ? [
          `limits.repeat_after is ${toDurationWords(limits.repeatAfterMilliseconds)}, and retention.days is ${days}: the rows of an order are erased ${after} after it, and run then no longer finds them in the source of another run. Raise retention.days, or shorten repeat_after`,
        ]
      : []),
  ];
}
