/** Settings that are valid alone and probably not what is meant: one table of rules. */
import { closestMatch } from '../base/text/suggestions.ts';
import { comparableQuality } from '../delivery/mapping/contact-policy.ts';
import { pathsOf } from '../delivery/mapping/written-content.ts';
import { isRawPath, slotParts, sourcePaths, toRecordProperty } from '../delivery/mapping/source-paths.ts';
import { deliveryQualityExamples } from '../service/contract/enum-values.ts';
import type { Config } from './config.ts';
import { toPercent } from './limit-settings.ts';
import { isExistingProfile } from './profile-settings.ts';
import { features, type ProfileInput } from '../service/contract/index.ts';
import type { RunConfig } from './run-settings.ts';

/** What is wrong with a setting, and what to write; null: nothing. */
type Judge<T> = (settings: T) => string | null;

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
    ...applyRules('limits', limitRules, config.limits),
    ...warnOfFeatures(config),
    ...warnOfQualities(config),
    ...warnOfMapping(config),
  ];
}

type Rules<T> = readonly (readonly [setting: string, judge: Judge<T>])[];

function applyRules<T>(path: string, rules: Rules<T>, settings: T): string[] {
  return rules.flatMap(([setting, judge]) => {
    const problem = judge(settings);
    return problem === null ? [] : [`${path}.${setting} ${problem}`];
  });
}

const summerTimes = new Map([
  ['EST', 'America/New_York'],
  ['MST', 'America/Denver'],
  ['HST', 'Pacific/Honolulu'],
]);

const runRules: Rules<RunConfig> = [
  ['title', ({ title }) => (/\{[^{}]*\}|<[^<>]*>/.test(title) ? 'is sent as it is: no field is filled in' : null)],
  [
    'expect.min_delivered',
    ({ minDeliveredPercent: percent }) =>
      percent !== null && percent > 0 && percent < 1 ? `is below 1%. Did you mean ${toPercent(percent)}%?` : null,
  ],
  [
    'schedule.jitter',
    ({ schedule }) =>
      schedule?.every && schedule.jitterMilliseconds >= schedule.every.milliseconds
        ? 'is not below every: starts can come in another order, or together'
        : null,
  ],
  ['schedule.timezone', ({ schedule }) => judgeTimezone(schedule?.timezone ?? '')],
];

function judgeTimezone(timezone: string): string | null {
  const place = summerTimes.get(timezone);
  if (place !== undefined) return `is ${timezone}, which has no summer time. Write a place, such as ${place}`;
  const [, sign, hours] = /^Etc\/GMT([+-])([1-9]\d?)$/.exec(timezone) ?? [];
  if (sign === undefined) return null;
  return `is ${timezone}, which is UTC${sign === '+' ? '-' : '+'}${hours}: the sign of these names is inverted. Write a place, such as Europe/Berlin`;
}

const placeholder = /^\W*(?:todo|tbd|tba|fixme|xxx+|lorem ipsum|placeholder)\b/i;

/** Of a profile, or of the texts of an order. */
type ProfileTexts = { readonly [K in keyof ProfileInput]?: ProfileInput[K] | undefined };

const profileRules: Rules<ProfileTexts> = [
  [
    'ideal_customer_profile',
    ({ ideal_customer_profile: text = '' }) =>
      placeholder.test(text) ? 'is a placeholder. Describe the companies' : null,
  ],
  [
    'excluded_industries',
    ({ excluded_industries: excluded = [], target_industries: targets = [] }) => {
      const wanted = new Set(targets.map((name) => name.trim().toLowerCase()));
      const both = excluded.filter((name) => wanted.has(name.trim().toLowerCase()));
      return both.length === 0 ? null : `has ${quoted(both)}, which is in target_industries too`;
    },
  ],
  [
    'contact_roles',
    ({ contact_roles: roles = [] }) => {
      const several = roles.filter((role) => /[,;]|\S\s*\/\s*\S/.test(role));
      return several.length === 0 ? null : `has ${quoted(several)}. Write one role in each text`;
    },
  ],
  [
    'output_language',
    ({ output_language: language = '' }) => {
      const [code = language] = /^[a-z]{3}(?:-|$)/i.test(language) ? Intl.getCanonicalLocales(language) : [];
      return code.toLowerCase() === language.toLowerCase() ? null : `is ${JSON.stringify(language)}. Write ${code}`;
    },
  ],
];

const hourMs = 3_600_000;

/** 0 is meant as it is written: it never asks. */
const limitRules: Rules<Config['limits']> = [
  [
    'repeat_after',
    ({ repeatAfterMilliseconds: time }) =>
      time > 0 && time < hourMs ? 'is below 1h, so that run hardly ever asks before it repeats an order' : null,
  ],
];

function quoted(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ');
}

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

/** The specification gives examples only, so another value may exist. */
function warnOfQualities({ contacts }: Config): string[] {
  const { only, except } = contacts.deliveryQualities;
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

function warnOfMapping({ mapping }: Config): string[] {
  return (['companies', 'contacts'] as const).flatMap((object) =>
    Object.entries(mapping[object]).flatMap(([property, field]) => {
      const path = `mapping.${object}.${property}`;
      const text = 'value' in field ? field.value.trim() : '';
      if (sourcePaths.has(text) || isRawPath(text) || toRecordProperty(text) !== null)
        return [
          `${path}.value writes the text ${JSON.stringify(text)}, which looks like a path. To write the field, set from: ${text}`,
        ];
      return pathsOf(field).flatMap((from) => {
        const meant = findRawPath(from);
        return meant === null
          ? []
          : [`${path} reads ${from}, which the specification does not name. Did you mean ${meant}?`];
      });
    }),
  );
}

/** The service may send further fields, so only one that resembles a known field is probably misspelt. */
function findRawPath(from: string): string | null {
  const [, part, ...rest] = isRawPath(from) ? from.split('.') : [];
  if (part === undefined || slotParts.includes(part)) return null;
  const meant = closestMatch(part, slotParts);
  return meant === null ? null : ['raw', meant, ...rest].join('.');
}
