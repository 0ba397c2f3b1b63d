/** Legal forms of companies, and names without them. */
import { comparableName } from '../../service/contract/index.ts';
import { words } from '../../base/text/words.ts';

/** In comparable form, without dots. */
const plainForms = words(
  'gbr gmbh ggmbh mbh kgaa ohg partg',
  'aps bvba corp inc llc llp ltd oyj plc sarl srl sro doo spzoo',
);

/** Also the letters of Dutch postal codes, in front of a city: `1012 KG Amsterdam`. */
const lastForms = words('bv eg ek ev kg oy sas ug');

/** Also cantons, states and cities: `Baden AG`, `Denver CO`, `Spa`. */
const placeForms = words('ab ag as asa co nv sa se sl spa zoo');

const legalForms: ReadonlySet<string> = new Set([...plainForms, ...lastForms, ...placeForms]);

/** Forms in full, and with spaces or other signs: patterns for whole words in comparable form. */
const longForms = [
  ['kommanditgesellschaft auf aktien', 'kgaa'],
  ['kommanditgesellschaft', 'kg'],
  ['ges(?:ellschaft|\\.)? ?(?:mit beschr(?:ä|ae)nkter haftung|m\\.? ?b\\.? ?h)', 'gmbh'],
  ['gesellschaft b(?:ü|ue)rgerlichen rechts', 'gbr'],
  ['(?:unternehmergesellschaft|ug)(?: \\(?haftungsbeschr(?:ä|ae)nkt\\)?)?', 'ug'],
  ['partnerschaftsgesellschaft', 'partg'],
  ['offene handelsgesellschaft', 'ohg'],
  ['aktiengesellschaft', 'ag'],
  ['eingetragene[rn]? kauf(?:mann|frau)', 'ek'],
  ['eingetragener verein', 'ev'],
  ['eingetragene genossenschaft', 'eg'],
  ['limited liability company', 'llc'],
  ['public limited company', 'plc'],
  ['limited', 'ltd'],
  ['incorporated', 'inc'],
  ['corporation', 'corp'],
  ['soci[ée]t[ée] anonyme', 'sa'],
  ['sociedad an[óo]nima', 'sa'],
  ['soci[ée]t[ée] [àa] responsabilit[ée] limit[ée]e', 'sarl'],
  ['s\\.? ?[àa]\\.? ?r\\.? ?l', 'sarl'],
  ['soci[ée]t[ée] par actions simplifi[ée]e', 'sas'],
  ['societ[àa] per azioni', 'spa'],
  ['societ[àa] a responsabilit[àa] limitata', 'srl'],
  ['sociedad limitada', 'sl'],
  ['besloten vennootschap', 'bv'],
  ['naamloze vennootschap', 'nv'],
  ['aktiebolag', 'ab'],
  ['a/s', 'as'],
  ['sp\\. ?z ?o\\. ?o', 'spzoo'],
].map(([form = '', short = '']) => [toWholeWords(form, 'gu'), short] as const);

const anyLongForm = new RegExp(longForms.map(([{ source }]) => source).join('|'), 'u');

function toWholeWords(form: string, flags: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}.-])(?:${form})(?![\\p{L}\\p{N}])\\.?`, flags);
}

/** `Alpha-GmbH` */
const hyphenInFront = /-(?=(?:gmbh|ag|kg)(?![\p{L}\p{N}-]))/gu;

/** `s. a.`, `d. o. o.` */
const spacedLetters = /(?<=\s)(?:\p{L}\. ){1,3}\p{L}\.?(?=\s|$)/gu;

/** In comparable form, with short legal forms: `alpha gmbh` of `Alpha Gesellschaft mit beschränkter Haftung`. */
export function withShortLegalForm(name: string): string {
  let text = comparableNameOrPlace(name).replaceAll(hyphenInFront, ' ');
  if (anyLongForm.test(text)) for (const [form, short] of longForms) text = text.replaceAll(form, short);
  return text
    .replaceAll(spacedLetters, (letters) => (isLegalForm(letters) ? letters.replaceAll(/[. ]/g, '') : letters))
    .split(' ')
    .map((word) => (isLegalForm(word) ? word.replaceAll('.', '') : word))
    .join(' ');
}

/** Words in comparable form. */
function splitName(name: string): string[] {
  return withShortLegalForm(name)
    .split(/[\s&+]+/)
    .filter((word) => word !== '');
}

export function isLegalForm(word: string): boolean {
  return legalForms.has(comparableName(word).replaceAll(/[. ]/g, ''));
}

/** In comparable form; `ß` equals `ss`. */
export function comparableNameOrPlace(text: string): string {
  return comparableName(text).replaceAll('ß', 'ss');
}

/** In comparable form: `acme` of `ACME GmbH & Co. KG`; the whole name if it has nothing else. */
export function withoutLegalForm(name: string): string {
  const rest = splitName(name).filter((word) => !isLegalForm(word));
  return comparableNameOrPlace(rest.length === 0 ? name : rest.join(' '));
}

export function hasLegalForm(name: string): boolean {
  return splitName(name).some(isLegalForm);
}

/** `Alpha GmbH`, `Alpha KG`, but not `Baden AG` or `1012 KG Amsterdam` */
export function isPlaceWithLegalForm(place: string): boolean {
  const forms = splitName(place).map((word) => word.replaceAll(/[.,]/g, ''));
  return (
    forms.some((form) => plainForms.includes(form)) || (forms.length > 1 && lastForms.includes(forms.at(-1) ?? ''))
  );
}

/** `GmbH`, `GmbH & Co. KG` */
export function isLegalFormOnly(name: string): boolean {
  const parts = splitName(name);
  return parts.length > 0 && parts.every(isLegalForm);
}
