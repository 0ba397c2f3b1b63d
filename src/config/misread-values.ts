/** Values that YAML reads differently from how they look: unclear numbers, texts that a comment cuts, and texts within typographic quotes. */
import { type Document, type LineCounter, Scalar, visit } from 'yaml';
import { findNumberRemedy } from '../base/text/decimal-number.ts';
import { quoteRemedy } from './misleading-characters.ts';
import { type ConfigProblem, fieldName } from './problems.ts';
import { keysOf } from './yaml-positions.ts';

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
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === 'key' || node.type !== Scalar.PLAIN) return;
      const misreading = judge(node, text);
      if (misreading === null) return;
      const { offset, ...problem } = misreading;
      const { line, col: column } = lines.linePos(offset);
      problems.push({ line, column, field: fieldName(keysOf(ancestors)), ...problem });
    },
  });
  return problems;
}

function judge({ value, source = '', range }: Scalar, text: string): Misreading | null {
  const [start, end] = range ?? [0, 0];
  if (typeof value === 'number') {
    const remedy = findNumberRemedy(source);
    if (remedy === null) return null;
    const rule = `would be read as the number ${value}`;
    const quotes = remedy.includes(' if ') ? '' : ', or put quotes around a text';
    return { offset: start, rule, found: source, remedy: `${remedy}${quotes}` };
  }
  if (typeof value !== 'string') return null;
  if (cutText.test(text.slice(end, end + 4))) {
    const remedy = 'Put quotes around the text, or write a space after the # of a comment';
    return { offset: end + 1, rule: 'ends before #, which begins a comment in YAML', found: null, remedy };
  }
  if (!quotedText.test(value)) return null;
  const rule = 'has typographic quotes, which YAML reads as a part of the text';
  return { offset: start, rule, found: null, remedy: quoteRemedy };
}
