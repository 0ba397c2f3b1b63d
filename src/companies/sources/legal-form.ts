/** Legal forms of companies, and names without them. */
import { comparableName } from '../../service/contract/index.ts';
import { withoutMarks } from '../../base/text/normalize-text.ts';
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

/** Forms in full and in several words, as word keys. */
const longForms: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    ab: 'aktiebolag',
    ag: 'aktiengesellschaft',
    bv: 'b v/besloten vennootschap',
    corp: 'corporation',
    doo: 'd o o',
    eg: 'eingetragene genossenschaft',
    ek: 'e k/e kfm/e kfr/eingetragener kaufmann/eingetragene kauffrau',
    ev: 'e v/eingetragener verein',
    gbr: 'gesellschaft burgerlichen rechts',
    gmbh: 'g m b h/gesmbh/ges mbh/ges m b h/gesellschaft mbh/gesellschaft m b h/gesellschaft mit beschrankter haftung',
    inc: 'incorporated',
    kg: 'kommanditgesellschaft',
    kgaa: 'kg auf aktien/kommanditgesellschaft auf aktien',
    llc: 'limited liability company',
    ltd: 'limited',
    nv: 'n v/naamloze vennootschap',
    ohg: 'offene handelsgesellschaft',
    partg: 'partnerschaftsgesellschaft',
    plc: 'public limited company',
    sa: 's a/societe anonyme/sociedad anonima',
    sarl: 'sarl/sa rl/s a r l/societe a responsabilite limitee',
    sas: 's a s/societe par actions simplifiee',
    sl: 's l/sociedad limitada',
    spa: 's p a/societa per azioni',
    spzoo: 'sp zoo/sp z oo/sp z o o',
    srl: 's r l/societa a responsabilita limitata',
    sro: 's r o/spol sro/spol s r o/spol s ro',
    ug: 'ug haftungsbeschrankt/unternehmergesellschaft/unternehmergesellschaft haftungsbeschrankt',
  }).flatMap(([short, forms]) => forms.split('/').map((form) => [form, short] as const)),
).set('a/s', 'as');

const mostWords = 5;
const firstWords = new Set([...longForms.keys()].map((form) => form.split(' ')[0]));

/** `beschrankter` of `beschränkter` and `beschraenkter`, `oo` of `o.o.` */
function toWordKey(word: string): string {
  return withoutMarks(word)
    .replaceAll(/[.,()]/g, '')
    .replaceAll(/([aou])e/g, '$1');
}

/** `Alpha-GmbH` */
const hyphenInFront = /-(?=(?:gmbh|ag|kg)(?![\p{L}\p{N}-]))/gu;

/** In comparable form, with short legal forms: `alpha gmbh` of `Alpha Gesellschaft mit beschränkter Haftung`. */
export function withShortLegalForm(name: string): string {
  const parts = comparableNameOrPlace(name).replaceAll(hyphenInFront, ' ').split(' ');
  const keys = parts.map(toWordKey);
  const short: string[] = [];
  let index = 0;
  while (index < parts.length) {
    const [form, length] = longFormAt(keys, index);
    const part = parts[index] ?? '';
    short.push(form ?? (isLegalForm(part) ? part.replaceAll('.', '') : part));
    index += length;
  }
  return short.join(' ');
}

function longFormAt(keys: readonly string[], start: number): readonly [form: string | null, words: number] {
  if (!firstWords.has(keys[start])) return [null, 1];
  for (let length = mostWords; length > 0; length -= 1) {
    const form = longForms.get(keys.slice(start, start + length).join(' '));
    if (form !== undefined && start + length <= keys.length) return [form, length];
  }
  return [null, 1];
}

/** A row's name is split for one rule after the other. */
let last: { readonly name: string; readonly words: readonly string[] } = { name: '', words: [] };

/** Words in comparable form. */
function splitName(name: string): readonly string[] {
  if (last.name !== name) {
    const split = withShortLegalForm(name).split(/[\s&+]+/);
    last = { name, words: split.filter((word) => word !== '') };
  }
  return last.words;
}

export function isLegalForm(word: string): boolean {
  return legalForms.has(comparableName(word).replaceAll('.', ''));
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
