/**
 * Selects the generated companies that match a profile, in order. Country and industry are the two lowest digits of a
 * company's index (`index % 12`, `index / 12 % 12`), so the nth candidate is computed without a search.
 */
import { countries, industries } from './word-lists.ts';

export interface SearchCriteria {
  readonly target_countries: readonly string[];
  readonly target_industries?: readonly string[] | undefined;
  readonly excluded_industries?: readonly string[] | undefined;
}

/** Maximum number of candidates, because indexes are 32-bit numbers. */
export const candidateCount = 20_000_000;

/** Accepts names and ISO codes. Criteria that match no generated company are ignored. */
export function createCandidates(criteria: SearchCriteria): (position: number) => number {
  const inCountry = matchingDigits(countries, ({ name, code }) => hasWord(criteria.target_countries, name, code));
  const wanted = matchingDigits(industries, (name) => hasWord(criteria.target_industries ?? [], name));
  const left = wanted.filter((digit) => !hasWord(criteria.excluded_industries ?? [], industries[digit] ?? ''));
  const inIndustry = left.length > 0 ? left : wanted;

  return (position) => {
    const country = inCountry[position % inCountry.length] ?? 0;
    const rest = Math.floor(position / inCountry.length);
    const industry = inIndustry[rest % inIndustry.length] ?? 0;
    const round = Math.floor(rest / inIndustry.length);
    return (round * industries.length + industry) * countries.length + country;
  };
}

function matchingDigits<T>(list: readonly T[], isWanted: (item: T) => boolean): number[] {
  const every = list.map((_, digit) => digit);
  const wanted = every.filter((digit) => list.slice(digit, digit + 1).some(isWanted));
  return wanted.length > 0 ? wanted : every;
}

function hasWord(given: readonly string[], ...words: readonly string[]): boolean {
  return given.some((text) => words.some((word) => word.toLowerCase() === text.trim().toLowerCase()));
}
