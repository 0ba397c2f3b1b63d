/** Decides whether a city or a country is probably something else. The service takes any text as either. */
import { judgeCountry, type CountryJudgement } from '../../base/countries/judge-country.ts';

/** Digits and capital letters: `70173`, `D-70173`, `SW1A 1AA`. */
const postalCode = /^(?=.*\d)[A-Z\d][A-Z\d -]{2,9}$/;

/** `Praha 4` and `Wien 3` are districts of cities, so that only words for streets show a house number. */
const germanStreet = /(?:str\.?|stra(?:ß|ss)e|gasse|weg|platz|allee|ring|damm|ufer|chaussee)\s*\d/i;
const streetWord = /\b(?:street|road|rd|avenue|ave|lane|drive|boulevard|blvd|rue|via|calle|piazza|plaza)\b/i;

export function isDoubtfulCity(city: string): boolean {
  return postalCode.test(city) || germanStreet.test(city) || (streetWord.test(city) && /\d/.test(city));
}

export function isDoubtfulCountry(country: string): boolean {
  return country !== '' && !isNamed(judge(country));
}

export function isSwappedPlace(city: string, country: string): boolean {
  return country !== '' && !isNamed(judge(country)) && judge(city).kind === 'country';
}

function isNamed({ kind }: CountryJudgement): boolean {
  return kind === 'country' || kind === 'code';
}

/** A file has few different countries and many rows. */
const judgements = new Map<string, CountryJudgement>();
const mostKept = 1_000;

function judge(text: string): CountryJudgement {
  const judgement = judgements.get(text) ?? judgeCountry(text);
  if (judgements.size < mostKept) judgements.set(text, judgement);
  return judgement;
}
