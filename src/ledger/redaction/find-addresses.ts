/** Finds email addresses and hosts in running text, by a linear scan of a text from `toPlainText`. */
import { parse } from 'tldts';
import { trimEndOf } from '../../base/text/normalize-text.ts';

/** Every reading of one place in a text. The most likely one is the first. */
export type Readings = readonly [string, ...string[]];

/** A longer local part, host or label list is none. */
const longestLocalPart = 256;
const longestHost = 253;
const mostLabels = 8;

const localCharacter = /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]$/u;
const hostCharacter = /^[\p{L}\p{N}\p{M}.-]$/u;
const hostRun = /[\p{L}\p{N}\p{M}.-]+/gu;
const asciiRun = /[a-z0-9.-]+/g;

/** Allowed in addresses, but far more often Markdown, quotes, or part of an address of a page. */
const wrappers = '!#$%&*/=?^`{|}~';
/** Allowed in addresses; before one, they are Markdown, quotes or punctuation. */
const leading = `${wrappers}'_+-.`;

/** The readings of the address around each `@`: with and without the characters that may surround it. */
export function* addressesIn(text: string): Generator<Readings> {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const hosts = hostReadings(text.slice(at + 1, endOfHost(text, at + 1)));
    if (hosts.length === 0) continue;
    const localParts = localReadings(text, at);
    const [first, ...others] = localParts.flatMap((local) => hosts.map((host) => `${local}@${host}`));
    if (first !== undefined) yield [first, ...others];
  }
}

/** The readings of each host, for example `acme.de` and `acme.de.please` of `See acme.de.Please call`. */
export function* hostsIn(text: string): Generator<Readings> {
  if (!text.includes('.')) return;
  for (const [run] of text.matchAll(hostRun)) {
    if (!run.includes('.')) continue;
    for (const part of run.split('..')) {
      // In languages without spaces, letters of the sentence touch the host.
      const parts = new Set([part, ...(part.match(asciiRun) ?? [])]);
      const [first, ...others] = [...parts].flatMap(hostReadings);
      if (first !== undefined) yield [first, ...others];
    }
  }
}

function localReadings(text: string, at: number): string[] {
  const quoted = quotedLocalPart(text, at);
  if (quoted !== null) return [quoted];
  const run = text.slice(startOfLocalPart(text, at), at);
  // Two dots are the end of a sentence.
  const closed = trimEndOf(run.slice(run.lastIndexOf('..') + 1), wrappers);
  const unwrapped = endWhile(closed, (character) => !wrappers.includes(character));
  const ascii = endWhile(closed, (character) => character < '\u0080');
  const readings = [
    trimStartOf(unwrapped, leading),
    unwrapped,
    trimStartOf(ascii, leading),
    trimStartOf(run, wrappers),
  ];
  return [...new Set([...readings, run])].filter((reading) => reading !== '');
}

/** `jane` of `"jane"@acme.de`, which is the same address. */
function quotedLocalPart(text: string, at: number): string | null {
  if (text.charAt(at - 1) !== '"') return null;
  const window = text.slice(Math.max(0, at - 1 - longestLocalPart), at - 1);
  const local = window.slice(window.lastIndexOf('"') + 1);
  return local === '' || !window.includes('"') ? null : local;
}

function startOfLocalPart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < longestLocalPart) {
    const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(start - 1)) && start > 1;
    const previous = isPair ? start - 2 : start - 1;
    if (!localCharacter.test(text.slice(previous, start))) break;
    start = previous;
  }
  return start;
}

function endOfHost(text: string, start: number): number {
  let end = start;
  while (end < text.length && end - start < longestHost) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    if (!hostCharacter.test(character)) break;
    end += character.length;
  }
  return end;
}

/** The host, and what remains of it when the next sentence begins right after it. A public suffix such as `co.uk` is not parted. */
function hostReadings(run: string): string[] {
  const [first = ''] = run.split('..', 1);
  const [ascii = ''] = first.match(/^[\0-\x7f]*/) ?? [];
  return [...new Set([first, ascii].flatMap((part) => partReadings(trimEndOf(part, '.-'))))];
}

function partReadings(host: string): string[] {
  if (host.length > longestHost || !/^[^.-][^.]*\./.test(host)) return [];
  const labels = host.split('.');
  const { isIcann, publicSuffix } = parse(host, { allowPrivateDomains: true });
  const suffixLabels =
    isIcann === true || (publicSuffix ?? '').includes('.') ? (publicSuffix ?? '').split('.').length : 1;
  const readings = [host];
  const longest = Math.min(labels.length - suffixLabels, mostLabels);
  for (let count = 2; count <= longest; count += 1) readings.push(labels.slice(0, count).join('.'));
  const likely = readings.find((reading) => parse(reading).isIcann === true);
  return likely === undefined ? readings : [likely, ...readings];
}

function trimStartOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** The longest end of the text of which all characters pass. */
function endWhile(text: string, passes: (character: string) => boolean): string {
  let start = text.length;
  while (start > 0 && passes(text.charAt(start - 1))) start -= 1;
  return text.slice(start);
}
