/** Texts that are sent to the service, or written to people, and that YAML may have cut: a comment follows them after a single space. */
import { type Document, isCollection, isPair, Scalar, visit } from 'yaml';
import { fieldName } from './problems.ts';
import { keysOf } from './yaml-positions.ts';

/** A text that ends where a comment begins. */
export interface CutText {
  readonly path: readonly string[];
  /** What YAML has read. */
  readonly text: string;
  /** Whether other settings may repeat it by the alias of a section that contains it. */
  readonly isShared: boolean;
}

/** Several spaces before a `#` are those of a comment. Without a space behind it, the text is refused. */
const singleSpace = /^ #/;

/** Countries and languages have their own checks. A number, a word of a list, a path or a file name has its own rules. */
const sentTexts = [
  /^runs\.[^.]+\.title$/,
  /^runs\.[^.]+\.(?:profile|order)\.(?!target_countries$|output_language$)/,
  /^runs\.[^.]+\.hubspot_lists\./,
  /^exclusions\.[^.]+\.(?:blacklist|existing|description|reason)$/,
  /^exclusions\.[^.]+\.reasons\./,
  /^mapping\.(?:companies|contacts)\.[^.]+\.(?:value|round_robin)$/,
  /^mapping\.(?:company_notes|company_tasks)\./,
];

/** `text`: the one that was parsed. */
export function findCutTexts(document: Document, text: string): CutText[] {
  const found: CutText[] = [];
  visit(document, {
    Scalar(key, { type, value, range }, ancestors) {
      if (key === 'key' || type !== Scalar.PLAIN || typeof value !== 'string') return;
      if (range === undefined || range === null || !singleSpace.test(text.slice(range[1], range[1] + 2))) return;
      const path = keysOf(ancestors);
      if (!sentTexts.some((pattern) => pattern.test(path.join('.')))) return;
      const isShared = ancestors.some((node) => !isPair(node) && isCollection(node) && node.anchor !== undefined);
      found.push({ path, text: value, isShared });
    },
  });
  return found;
}

interface CutTexts {
  readonly cutTexts: readonly CutText[];
  readonly runs: object;
  readonly exclusions: object;
}

/** Of the runs and exclusions of a configuration, and of what they may repeat. */
export function warnOfCutTexts({ cutTexts, runs, exclusions }: CutTexts): string[] {
  return cutTexts.flatMap(({ path, text, isShared }) => {
    const [section, name = ''] = path;
    const named = section === 'runs' ? runs : section === 'exclusions' ? exclusions : null;
    if (named !== null && !isShared && !Object.hasOwn(named, name)) return [];
    return [
      `${fieldName(path)} is ${JSON.stringify(text)}: YAML takes what follows as a comment, from # on. Put quotes around the whole text if that belongs to it; write two spaces before the # of a comment`,
    ];
  });
}
