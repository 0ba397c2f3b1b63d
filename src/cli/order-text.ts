/** What a run is about to order, in the words of `run`, its preview and `schedule trigger`. */
import { toShownRows } from '../companies/sources/shown-rows.ts';
import type { Draft } from '../companies/sources/enrichment-companies.ts';
import { isExistingProfile, toOrderTexts } from '../config/profile-settings.ts';
import type { RunPlan } from '../config/run-plan.ts';
import { shorten } from '../base/text/bound-text.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { toSourceText } from '../proof/report/source-text.ts';
import type { ProfileInput } from '../service/contract/index.ts';

/** `showsRows`: also some of its rows, which are not for logs. */
export function toOrderText(
  plan: RunPlan,
  draft: Draft | null,
  { showsRows }: { readonly showsRows: boolean },
): string[] {
  const { kind, exclusions, briefingQuantity } = plan;
  const quantity = `${(briefingQuantity ?? 0).toLocaleString('en')} companies to order`;
  if (kind === 'discovery') return [quantity, ...toSearchTexts(plan).map(([what, text]) => `${what}: ${text}`)];
  if (draft === null) return [];
  const names = exclusions.map((each) => each.name).join(', ');
  return [
    ...toSourceText(draft.source.report),
    ...(showsRows ? toShownRows(draft.rows) : []),
    ...(names === '' ? [] : [`rows that match ${names} are not ordered; run --dry-run counts them`]),
  ];
}

const longestDescription = 200;

/** What a discovery searches, as far as it is known here: an existing profile is known to the service only. */
export function toSearchTexts(plan: RunPlan): (readonly [what: string, text: string])[] {
  if (plan.kind !== 'discovery') return [];
  const { target_countries: countries, ideal_customer_profile: customer = '' } = toOrderTexts(plan);
  const profile: Partial<ProfileInput> = isExistingProfile(plan.profile) ? {} : plan.profile;
  const { company_size_min: min, company_size_max: max } = profile;
  const sizes = [...(min === undefined ? [] : [`from ${min}`]), ...(max === undefined ? [] : [`to ${max}`])];
  const texts = [
    ['customer', [shorten(customer, longestDescription)]],
    ['countries', countries],
    ['cities', profile.target_cities],
    ['industries', profile.target_industries],
    ['without', profile.excluded_industries],
    ['employees', [sizes.join(' ')]],
    ['roles', profile.contact_roles],
  ] as const;
  return texts
    .map(([what, values = []]) => [what, toPrintable(values.join(', '))] as const)
    .filter(([, text]) => text !== '');
}
