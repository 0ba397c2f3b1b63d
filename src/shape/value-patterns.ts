/** What values look like, for fields that no name finds. Each is asked of a value and of the record around it. */
import { hostOf, ownerOf } from '../mapping/own-domain.ts';
import type { ValuePattern } from '../contract/field-definition.ts';
import { normalizeText } from '../text/normalize-text.ts';

/** What of the same record is known already. */
export interface Surroundings {
  /** Of a company. */
  readonly domain: string | null;
  /** Of a person. */
  readonly email: string | null;
}

type Test = (text: string, surroundings: Surroundings) => boolean;

const domain = /^(?=.{4,253}$)(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}$/i;
const socialHosts =
  /(?:^|\.)(?:linkedin|xing|facebook|twitter|x|instagram|youtube|crunchbase|tiktok|kununu)\.com$|(?:^|\.)(?:youtu\.be|wikipedia\.org)$/;

const tests: Readonly<Record<Exclude<ValuePattern, 'person'>, Test>> = {
  email: isAddress,
  website: (text) => /^(?:https?:\/\/|www\.)/i.test(text) && isCompanyHost(hostOf(text)),
  domain: (text) => domain.test(text) && isCompanyHost(text.toLowerCase()),
  linkedin: (text) => /(?:^|[/.])linkedin\.com\//i.test(text),
  'company name': (text, around) => around.domain !== null && isShort(text) && sharesWord(text, around.domain),
  'full name': (text, around) => isShort(text) && wordsOf(text).length >= 2 && namesInAddress(text, around.email) >= 2,
  'first name': (text, around) =>
    isSingleName(text) && namesInAddress(text, around.email) === 1 && isFirstIn(text, around.email),
  'last name': (text, around) =>
    isSingleName(text) && namesInAddress(text, around.email) === 1 && !isFirstIn(text, around.email),
};

export function fitsPattern(
  pattern: Exclude<ValuePattern, 'person'>,
  text: string,
  surroundings: Surroundings,
): boolean {
  return tests[pattern](text, surroundings);
}

/** Something, an `@`, and a domain that ends in two characters at least. */
function isAddress(text: string): boolean {
  const host = /^[^\s@]+@([^\s@]+)$/.exec(text)?.[1] ?? '';
  return host.slice(1, -2).includes('.');
}

function isCompanyHost(host: string | null): boolean {
  return host !== null && !socialHosts.test(host) && ownerOf(host) !== null;
}

function isShort(text: string): boolean {
  return (
    text.length <= 80 &&
    wordsOf(text).length <= 8 &&
    !isAddress(text) &&
    !/^(?:https?:\/\/|www\.)/i.test(text) &&
    !domain.test(text)
  );
}

function isSingleName(text: string): boolean {
  return isShort(text) && wordsOf(text).length === 1;
}

/** `Nordwind Solar GmbH` and `nordwind-solar.de`: the first word, or all of them, stand in the domain. */
function sharesWord(text: string, host: string): boolean {
  const label = plain(host.split('.').slice(0, -1).join(''));
  const words = wordsOf(text);
  const whole = words.join('');
  return (
    words.some((word) => word.length >= 4 && label.includes(word)) || (whole.length >= 3 && label.startsWith(whole))
  );
}

/** How many words of the text stand in the local part of the address: `anna.schmidt@…`. */
function namesInAddress(text: string, address: string | null): number {
  const local = plain(address?.split('@')[0] ?? '');
  return local === '' ? 0 : wordsOf(text).filter((word) => word.length >= 2 && local.includes(word)).length;
}

function isFirstIn(text: string, address: string | null): boolean {
  return plain(address?.split('@')[0] ?? '').startsWith(plain(text));
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => plain(word) || []);
}

/** Lower case, without accents, umlauts as in an address. */
function plain(text: string): string {
  const latin = text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
  return normalizeText(latin, 'NFD').replaceAll(/[^\p{L}\p{N}]/gu, '');
}
