/** Refuses numbers of a YAML file that a person may have meant otherwise: `1.000` is 1 in YAML, and a thousand in German. */
import { type Document, type LineCounter, Scalar, visit } from 'yaml';
import { type ConfigProblem, fieldName } from './problems.ts';
import { keysOf } from './yaml-positions.ts';

const plain = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const grouped = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** Numbers with a point before three digits, leading zeros, an exponent, or another base. */
export function findUnclearNumbers(document: Document, lines: LineCounter): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      const { value, source = '' } = node;
      if (key === 'key' || node.type !== Scalar.PLAIN || typeof value !== 'number') return;
      if (plain.test(source) && !grouped.test(source)) return;
      const { line, col: column } = lines.linePos(node.range?.[0] ?? 0);
      const rule = `would be read as the number ${value}`;
      problems.push({
        line,
        column,
        field: fieldName(keysOf(ancestors)),
        rule,
        found: source,
        remedy: remedyOf(source),
      });
    },
  });
  return problems;
}

function remedyOf(source: string): string {
  if (grouped.test(source)) return `Write ${source.replace('.', '')}, or ${Number(source)} if that was meant`;
  return 'Write the number in decimal digits, or put quotes around a text';
}
