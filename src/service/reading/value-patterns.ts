/** Recognises fields by the form of their values and by known values of the same record. */
import { hostOf, ownerOf } from '../contract/website-domain.ts';
import type { ValuePattern } from '../contract/field-definition.ts';
import { normalizeText } from '../../base/text/normalize-text.ts';

/** Known values of the same record. */
export interface RecordContext {
  /** For a company. */
  readonly domain: string | null;
  /** For a prospect. */
  readonly email: string | null;
}

type Test = (text: string, context: RecordContext) => boolean;

const domain = /^(?=.{4,253}$)(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}$/i;
const socialHosts =
  /(?:^|\.)(?:linkedin|xing|facebook|twitter|x|instagram|youtube|crunchbase|tiktok|kununu)\.com$|(?:^|\.)(?:youtu\.be|wikipedia\.org)$/;

const tests: Readonly<Record<Exclude<ValuePattern, 'person'>, Test>> = {
  email: isAddress,
  website: (text) => /^(?:https?:\/\/|www\.)/i.test(text) && isCompanyHost(hostOf(text)),
  domain: (text) => domain.test(text) && isCompanyHost(text.toLowerCase()),
  linkedin: (text) => /(?:^|[/.])linkedin\.com\//i.test(text),
  'company name': (text, context) => context.domain !== null && isShort(text) && sharesWord(text, context.domain),
  'full name': (text, context) =>
    isShort(text) && wordsOf(text).length >= 2 && namesInAddress(text, context.email) >= 2,
  'first name': (text, context) =>
    isSingleName(text) && namesInAddress(text, context.email) === 1 && isFirstIn(text, context.email),
  'last name': (text, context) =>
    isSingleName(text) && namesInAddress(text, context.email) === 1 && !isFirstIn(text, context.email),
};

export function matchesPattern(
  pattern: Exclude<ValuePattern, 'person'>,
  text: string,
  context: RecordContext,
): boolean {
  return tests[pattern](text, context);
}

/** An `@` before a domain whose last part has at least two characters. */
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

/** `Nordwind Solar GmbH` and `nordwind-solar.de`: a word, or all words joined, are in the domain. */
function sharesWord(text: string, host: string): boolean {
  const label = toAscii(host.split('.').slice(0, -1).join(''));
  const words = wordsOf(text);
  const whole = words.join('');
  return (
    words.some((word) => word.length >= 4 && label.includes(word)) || (whole.length >= 3 && label.startsWith(whole))
  );
}

/** How many words of the text are in the local part of the address: `anna.schmidt@…`. */
function namesInAddress(text: string, address: string | null): number {
  const local = toAscii(address?.split('@')[0] ?? '');
  return local === '' ? 0 : wordsOf(text).filter((word) => word.length >= 2 && local.includes(word)).length;
}

function isFirstIn(text: string, address: string | null): boolean {
  return toAscii(address?.split('@')[0] ?? '').startsWith(toAscii(text));
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => toAscii(word) || []);
}

/** Lower case without accents; umlauts as in an email address (`ae`). */
function toAscii(text: string): string {
  const latin = text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
  return normalizeText(latin, 'NFD').replaceAll(/[^\p{L}\p{N}]/gu, '');
}
