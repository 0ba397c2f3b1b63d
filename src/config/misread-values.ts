/** Values that YAML reads differently from how they look: unclear numbers, texts that a comment cuts, texts within typographic quotes, and texts that need quotes. */
import { type Document, isScalar, type LineCounter, type Pair, Scalar, visit, type YAMLMap } from 'yaml';
import { findNumberRemedy } from '../base/text/decimal-number.ts';
import { quoteRemedy } from './misleading-characters.ts';
import { type ConfigProblem, fieldName } from './problems.ts';
import { findAliases, keysOf } from './yaml-positions.ts';

/** In a comment, a space follows the `#`, or several spaces precede it. */
const cutText = /^ #[\p{L}\p{N}]/u;
const quotedText = /^[\u2018-\u201F\u00AB\u00BB\uFF02\uFF07].*[\u2018-\u201F\u00AB\u00BB\uFF02\uFF07]$/su;

interface Misreading {
  /** Of the character at fault in the text of the file. */
  readonly offset: number;
  readonly rule: string;
  readonly found: string | null;
  readonly remedy: string;
}

/** `text`: the one that was parsed. */
export function findMisreadValues(document: Document, lines: LineCounter, text: string): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const add = (ancestors: Parameters<typeof keysOf>[0], { offset, ...problem }: Misreading) => {
    const { line, col: column } = lines.linePos(offset);
    problems.push({ line, column, field: fieldName(keysOf(ancestors)), ...problem });
  };
  const used = new Set([...findAliases(document).keys()].map(({ source }) => source));
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === 'key' || node.type !== Scalar.PLAIN) return;
      const misreading = judge(node, text, used);
      if (misreading !== null) add(ancestors, misreading);
    },
    Map(_, node, ancestors) {
      for (const { pair, misreading } of findSplitNumbers(node)) add([...ancestors, node, pair], misreading);
    },
  });
  return problems;
}

/** `used`: the anchors that an alias names. */
function judge({ value, source = '', range, anchor }: Scalar, text: string, used: Set<string>): Misreading | null {
  const [start, end] = range ?? [0, 0];
  if (typeof value === 'number') {
    const remedy = findNumberRemedy(source);
    if (remedy === null) return null;
    const rule = `would be read as the number ${value}`;
    const quotes = remedy.includes(' if ') ? '' : ', or put quotes around a text';
    return { offset: start, rule, found: source, remedy: `${remedy}${quotes}` };
  }
  if (typeof value === 'string' && cutText.test(text.slice(end, end + 4))) {
    const remedy = 'Put quotes around the text, or write a space after the # of a comment';
    return { offset: end + 1, rule: 'ends before #, which begins a comment in YAML', found: null, remedy };
  }
  if (typeof value === 'string' && quotedText.test(value)) {
    const rule = 'has typographic quotes, which YAML reads as a part of the text';
    return { offset: start, rule, found: null, remedy: quoteRemedy };
  }
  if (!anchor || used.has(anchor) || typeof value === 'boolean') return null;
  const remedy = 'Put quotes around the text, or remove the anchor, which no alias (*name) uses';
  return { offset: start, rule: 'begins with &, which is the name of an anchor in YAML', found: null, remedy };
}

/** `{share: 0,5%}`: a comma ends the setting, and `5%` would be a setting of its own. */
function findSplitNumbers({ items }: YAMLMap): { readonly pair: Pair; readonly misreading: Misreading }[] {
  return items.flatMap((pair, index) => {
    const next = items[index + 1];
    if (!isScalar(pair.value) || next === undefined || !isScalar(next.key) || next.value !== null) return [];
    const { source: whole = '', range } = pair.value;
    const [, digits, unit = ''] = /^(\d+)(%|ms|[smhd])?$/.exec(next.key.source ?? '') ?? [];
    if (digits === undefined || !/^-?\d+$/.test(whole)) return [];
    const remedy = (findNumberRemedy(`${whole},${digits}`) ?? '').replaceAll(/\d[\d.]*/g, `$&${unit}`);
    const rule = 'has a comma, which separates settings: the decimal sign of a number is a point';
    const misreading = { offset: range?.[0] ?? 0, rule, found: `${whole},${digits}${unit}`, remedy };
    return [{ pair, misreading }];
  });
}

/** A value after its key, or an item of a list, that begins as something other than a text. A missing anchor is named elsewhere. */
const noBeginning = /^(?:[%@`,}\]]|\*\S*(?:[^\w\s-]|\s)|&\s|![^!]|[|>](?![-+\d]*$)|[-?]\s)/;
const keyOfLine = /^[ \t]*(?:- +)*(?:(?:"[^"]*"|'[^']*'|[^\s:#'"{}[\]*&!%@`|>,?-][^:#]*):[ \t]+)?/;
const colon = /:(?: |$)/;
/** Of a map or list in braces, whose colons and commas are those of YAML. */
const inBraces = /^["'{[|>]|[{}[\]]|, *\w+: /;

/** The texts without quotes on lines that are not valid YAML: they are what is wrong there. */
export function findUnquotedTexts(text: string, invalidLines: ReadonlySet<number>): ConfigProblem[] {
  return text.split('\n').flatMap((content, index) => {
    if (!invalidLines.has(index + 1)) return [];
    const [item] = /^\s*-(?=[^\s-])/.exec(content) ?? [];
    if (item !== undefined) {
      const rule = 'is not valid YAML: a space is missing after -';
      const remedy = 'Write a space after the - of each item';
      return [{ line: index + 1, column: item.length, field: '', rule, found: null, remedy }];
    }
    const start = keyOfLine.exec(content)?.[0] ?? '';
    const [value = ''] = content.slice(start.length).split(' #', 1);
    const rule = ruleOfText(value.trimEnd(), start.includes(':'));
    const remedy = 'Put quotes around the whole text, or begin a line for each setting';
    if (rule === null) return [];
    return [{ line: index + 1, column: start.length + 1, field: '', rule, found: null, remedy }];
  });
}

function ruleOfText(value: string, hasKey: boolean): string | null {
  if (noBeginning.test(value)) return `is not valid YAML: a text that begins with ${value.charAt(0)} needs quotes`;
  return hasKey && colon.test(value) && !inBraces.test(value)
    ? 'is not valid YAML: a text with a colon before a space or at its end needs quotes'
    : null;
}
