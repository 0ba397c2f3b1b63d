/** Settings that are valid alone and probably not what is meant: one table of rules. */
import { toPrintableKey } from '../base/text/printable-text.ts';
import { closestMatch } from '../base/text/suggestions.ts';
import { comparableQuality } from '../delivery/mapping/contact-policy.ts';
import { deliveryQualityExamples } from '../service/contract/enum-values.ts';
import type { FilterGroups } from '../hubspot/search-filter.ts';
import type { Config } from './config.ts';
import { toPercent } from './limit-settings.ts';
import { isExistingProfile } from './profile-settings.ts';
import { features } from '../service/contract/index.ts';
import { warnOfMapping } from './doubtful-mapping.ts';
import { profileRules } from './doubtful-profile.ts';
import { warnOfRefusals } from './doubtful-refusals.ts';
import { warnOfTimes } from './doubtful-times.ts';
import { applyRules, type Rules } from './setting-rules.ts';
import { orderStatusPath, replyPath } from './reply-settings.ts';
import { findLanguageDoubt } from './language-settings.ts';
import type { RunConfig } from './run-settings.ts';

export function warnOfDoubtfulSettings(config: Config): string[] {
  const runs = Object.entries(config.runs).flatMap(([name, run]) => {
    const profile = isExistingProfile(run.profile) ? {} : run.profile;
    return [
      ...applyRules(`runs.${name}`, runRules, run),
      ...applyRules(`runs.${name}.profile`, profileRules, profile),
      ...applyRules(`runs.${name}.order`, profileRules, run.orderTexts ?? {}),
    ];
  });
  return [
    ...runs,
    ...warnOfTimes(config),
    ...applyRules('hubspot.budget', budgetRules, config.hubspot.budget),
    ...Object.entries(config.exclusions).flatMap(([name, each]) =>
      applyRules(`exclusions.${name}`, exclusionRules, each),
    ),
    ...warnOfFeatures(config),
    ...warnOfOrderStatus(config),
    ...warnOfQualities(config),
    ...warnOfMapping(config),
    ...warnOfRefusals(config),
  ];
}

const summerTimes = new Map([
  ['EST', 'America/New_York'],
  ['MST', 'America/Denver'],
  ['HST', 'Pacific/Honolulu'],
]);

const runRules: Rules<RunConfig> = [
  ['title', ({ title }) => (/\{[^{}]*\}|<[^<>]*>/.test(title) ? 'is sent as it is: no field is filled in' : null)],
  ['expect.min_delivered', ({ minDeliveredPercent }) => judgeFraction(minDeliveredPercent)],
  ['expect.max_without_people', ({ maxWithoutPeoplePercent }) => judgeFraction(maxWithoutPeoplePercent)],
  [
    'schedule.jitter',
    ({ schedule }) =>
      schedule?.every && schedule.jitterMilliseconds >= schedule.every.milliseconds
        ? 'is not below every: starts can come in another order, or together'
        : null,
  ],
  [
    'schedule.every',
    ({ schedule }) =>
      schedule?.every && schedule.calendars.length > 0
        ? 'adds its starts to those of cron and calendars. If only one of them is meant, remove the other'
        : null,
  ],
  [
    'schedule.calendars',
    ({ schedule }) =>
      schedule?.mixesForms === true
        ? 'adds its starts to those of cron, at midnight where it names no hour. If only one of them is meant, remove the other'
        : null,
  ],
  [
    'schedule.timezone',
    ({ schedule }) => {
      if (schedule === null || schedule.timezone === 'UTC') return null;
      return schedule.calendars.length === 0
        ? 'has no effect on every, which is counted from 1970-01-01 UTC. For local times, write cron or calendars'
        : judgeTimezone(schedule.timezone);
    },
  ],
  [
    'companies.hubspot.filter_groups',
    ({ companies }) =>
      companies?.from === 'hubspot' && companies.filterGroups !== null
        ? judgeAlternatives(companies.filterGroups)
        : null,
  ],
  ['hubspot_lists.contacts', (run) => (run.hubspotLists?.contacts === undefined ? null : judgePeople(run))],
  ['spreadsheets.rows', (run) => (run.spreadsheets.rows === 'prospect' ? judgePeople(run) : null)],
  [
    'spreadsheets.columns',
    ({ spreadsheets: { rows, columns } }) => {
      const [found] = Object.entries(columns).filter(([, path]) => /^(?:raw\.)?prospect\./.test(path));
      return rows === 'prospect' || found === undefined
        ? null
        : `has ${toPrintableKey(found[0])}, a field of people, and spreadsheets.rows is slot: each row has one person of the company, whatever their number. For a row for each person, write rows: prospect`;
    },
  ],
  ['expect.max_without_people', (run) => (run.maxWithoutPeoplePercent === null ? null : judgePeople(run))],
  [
    'service_outputs',
    ({ serviceOutputs, profile }) => {
      const countries = isExistingProfile(profile) ? [] : profile.target_countries;
      const profileLanguage = isExistingProfile(profile) ? undefined : profile.output_language;
      const languages = serviceOutputs.flatMap(({ language }) => (language === profileLanguage ? [] : [language]));
      const [doubt] = languages.flatMap((language) => findLanguageDoubt(language, countries) ?? []);
      return doubt === undefined ? null : `has a language that ${doubt}`;
    },
  ],
];

/** Groups are alternatives: what one group leaves out, another takes in. */
function judgeAlternatives(groups: FilterGroups): string | null {
  const single = groups.flatMap((filters) => (filters.length === 1 ? filters : []));
  const negative = single.filter(({ operator }) => operator.startsWith('NE') || operator.startsWith('NOT_'));
  const [property] = Map.groupBy(negative, ({ propertyName }) => propertyName)
    .entries()
    .filter(([, filters]) => filters.length > 1)
    .map(([name]) => name);
  return property === undefined
    ? null
    : `excludes values of ${property} in several groups, which are alternatives: together they select every company. Write the filters into one group`;
}

/** Of a setting that is about people. */
function judgePeople({ features: ordered }: RunConfig): string | null {
  return ordered.includes('CONTACTS')
    ? null
    : `is about people, and features (${ordered.join(', ')}) orders none. Add CONTACTS, or remove the setting`;
}

function judgeTimezone(timezone: string): string | null {
  const place = summerTimes.get(timezone);
  if (place !== undefined) return `is ${timezone}, which has no summer time. Write a place, such as ${place}`;
  const [, sign, hours] = /^Etc\/GMT([+-])([1-9]\d?)$/.exec(timezone) ?? [];
  if (sign === undefined) return null;
  return `is ${timezone}, which is UTC${sign === '+' ? '-' : '+'}${hours}: the sign of these names is inverted. Write a place, such as Europe/Berlin`;
}

/** The schema refuses a burst below 1%. */
const budgetRules: Rules<Pick<Config['hubspot']['budget'], 'dailyReservePercent'>> = [
  ['daily_reserve_percent', ({ dailyReservePercent }) => judgeFraction(dailyReservePercent)],
];

/** Of every setting that is a percentage: a share such as 0.8 may be meant. */
function judgeFraction(percent: number | null): string | null {
  return percent !== null && percent > 0 && percent < 1 ? `is below 1%. Did you mean ${toPercent(percent)}%?` : null;
}

const exclusionRules: Rules<Config['exclusions'][string]> = [
  ['removals.max_percent', ({ removals }) => judgeFraction(removals.maxPercent)],
  [
    'removals.max_percent',
    ({ removals: { maxPercent, maxEntries } }) =>
      maxPercent <= mostRemovedPercent || maxEntries === 0
        ? null
        : `is ${maxPercent}: a sync may ${maxPercent === 100 ? 'empty the blacklist' : `remove ${maxPercent}% of the blacklist`} without approval, up to ${maxEntries.toLocaleString('en')} entries (max_entries). Write the percentage that may leave at once`,
  ],
];

/** Whatever `max_entries` is, removals above either limit wait for approval. */
const mostRemovedPercent = 50;

/** Without the field, the service decides what it delivers. */
function warnOfFeatures({ service, runs }: Config): string[] {
  const sending = service.requests.features;
  if (sending === 'send') return [];
  return Object.entries(runs).flatMap(([name, run]) =>
    run.features.length === features.length
      ? []
      : [`runs.${name}.features is not sent: service.requests.features is ${sending}. The service may deliver others`],
  );
}

/** An address of another program is possible, except where the settings say that it is that of `receive`. The path may contain its secret. */
function warnOfOrderStatus({ runs, orderStatus }: Config): string[] {
  const hasSecret = orderStatus.secrets.length > 0;
  return Object.entries(runs).flatMap(([name, { webhookUrl }]) => {
    if (webhookUrl === null) return [];
    const setting = `runs.${name}.webhook_url`;
    const path = new URL(webhookUrl).pathname.replace(/\/$/, '');
    const isOfReceiver = hasSecret || path.endsWith(replyPath);
    return [
      ...(isOfReceiver && !path.endsWith(orderStatusPath)
        ? [
            `${setting} does not end with ${orderStatusPath}, the only path of prospect-sync receive for notifications of orders. Correct the address`,
          ]
        : []),
      ...(hasSecret
        ? []
        : [
            `${setting} needs order_status.secrets: without it, prospect-sync receive verifies no notification of an order. Name the signing secret of this address, unless another program receives them`,
          ]),
    ];
  });
}

/** The specification gives examples only, so another value may exist. */
function warnOfQualities({ contacts }: Config): string[] {
  const { only, except } = contacts.deliveryQualities;
  const excepted = except.find((quality) => comparableQuality(quality) === 'client_deliverable');
  if (contacts.requireClientDeliverable && excepted !== undefined)
    return [
      `contacts.delivery_quality.except has ${excepted}, and contacts.require_client_deliverable leaves out all others: hardly anybody becomes a contact. Remove one of them`,
    ];
  return Object.entries({ only: only ?? [], except }).flatMap(([setting, qualities]) =>
    qualities.flatMap((quality) => {
      const word = comparableQuality(quality);
      if (deliveryQualityExamples.some((known) => known === word)) return [];
      const meant = closestMatch(word, deliveryQualityExamples);
      const hint = meant === null ? `It names ${deliveryQualityExamples.join(', ')}` : `Did you mean ${meant}?`;
      return [
        `contacts.delivery_quality.${setting} has ${JSON.stringify(quality)}, which the specification of the service does not name. ${hint}`,
      ];
    }),
  );
}
