/** Turns the text of prospect-sync.yaml into a Config, or into its problems. Reads no process environment, and of files only their real paths. */
import type { Environment } from '../base/host/environment-variables.ts';
import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import { createPositions, findAliases, type Position, findRepeatedKeys } from './yaml-positions.ts';
import { findMisleadingCharacters } from './misleading-characters.ts';
import { findCutTexts } from './cut-texts.ts';
import { findMisreadValues, findUnquotedTexts } from './misread-values.ts';
import { type ConfigProblem, fieldName, type FoundProblems, problemsShown, type PathProblem } from './problems.ts';
import { toConfig, type Config } from './config.ts';
import { checkRules } from './file-schema.ts';
import { checkShape } from './schema-problems.ts';
import { temporalSchema, toTemporal, type TemporalConfig } from './temporal-settings.ts';
import { childOf } from './partial-validation.ts';

export type ParsedConfig = { ok: true; config: Config } | ({ ok: false } & FoundProblems);

interface Source {
  readonly document: Document;
  readonly lines: LineCounter;
}

/** `file` is the path of the text; relative paths in it are taken from its folder. Returns the first problems in the order of the text. */
export function parseConfig(text: string, { env, file }: { env: Environment; file: string }): ParsedConfig {
  const read = readText(text);
  if ('problems' in read) return refuse(text, firstOf(read.problems));
  const shape = checkShape(read.value);
  const found = [...shape.problems, ...checkRules(read.value, env)];
  if (shape.value === null || found.length > 0) return refuse(text, sortByPosition(found, read.source));
  const cutTexts = findCutTexts(read.source.document, text);
  return { ok: true, config: toConfig(shape.value, { env, path: file, written: read.value, cutTexts }) };
}

export type ParsedTemporalConfig = { ok: true; config: TemporalConfig } | ({ ok: false } & FoundProblems);

/** Loads only the section `temporal`: a command that reads histories needs no other secret. */
export function parseTemporalConfig(text: string, { env }: { env: Environment }): ParsedTemporalConfig {
  const read = readText(text);
  if ('problems' in read) return refuse(text, firstOf(read.problems));
  const found = [...checkShape(read.value).problems, ...checkRules(read.value, env)].filter(
    // The file as a whole has no path.
    ({ path: [top] }) => top === 'temporal' || top === undefined,
  );
  const temporal = temporalSchema.safeParse(childOf(read.value, 'temporal'));
  if (!temporal.success || found.length > 0) return refuse(text, sortByPosition(found, read.source));
  return { ok: true, config: toTemporal(temporal.data, env) };
}

/** Names the misleading characters of a file that has problems: what is wrong on their lines comes from them. */
function refuse(text: string, { problems, more }: FoundProblems): { ok: false } & FoundProblems {
  const misleading = findMisleadingCharacters(text, new Set(problems.map(({ line }) => line)));
  const lines = new Set(misleading.map(({ line }) => line));
  const others = problems.filter(({ line }) => !lines.has(line));
  const all = firstOf([...misleading, ...others].sort((a, b) => a.line - b.line || a.column - b.column));
  return { ok: false, problems: all.problems, more: more + all.more };
}

function readText(text: string): { value: unknown; source: Source } | { problems: ConfigProblem[] } {
  const lines = new LineCounter();
  // Pretty errors quote the source line, which may hold a secret. Merge keys let runs share settings.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    uniqueKeys: false,
    logLevel: 'error',
  });
  const source = { document, lines };
  const content = readContent(source, text);
  return 'problems' in content ? content : { ...content, source };
}

/** Remedies are computed only for problems that are shown, since a search among many names is slow. */
function sortByPosition(found: readonly PathProblem[], source: Source): FoundProblems {
  const positionOf = createPositions(source);
  const { problems, more } = firstOf(
    found
      .map((problem) => ({ ...positionOf(problem.path, problem.at), problem }))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  );
  return { problems: problems.map(({ problem, ...position }) => toConfigProblem(problem, position)), more };
}

function firstOf<T>(problems: readonly T[]): { problems: T[]; more: number } {
  return { problems: problems.slice(0, problemsShown), more: Math.max(0, problems.length - problemsShown) };
}

/** If the file is not valid YAML, nothing else is checked: its settings may be at wrong positions. */
function readContent({ document, lines }: Source, text: string): { value: unknown } | { problems: ConfigProblem[] } {
  const tab = document.errors.find(({ code }) => code === 'TAB_AS_INDENT');
  if (tab !== undefined) {
    const { line, col: column } = lines.linePos(tab.pos[0]);
    const rule = 'is not valid YAML: tabs are not allowed as indentation';
    return { problems: [wholeFile(rule, 'Replace the tabs of the file by spaces', { line, column })] };
  }
  const yamlProblems = [...document.errors, ...document.warnings].map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    // The source text after the colon may hold a secret.
    const place = { line, column: col };
    if (error.message.startsWith('Missing closing')) {
      const place = lines.linePos(startOfQuoted(document, error.pos[0]));
      return wholeFile(
        'is not valid YAML: the quote that begins here is not closed',
        "Close it at the end of the text, and write a quote within it twice ('') or, in double quotes, as \\\"",
        { line: place.line, column: place.col },
      );
    }
    // Its message quotes the text.
    if (error.code === 'BAD_DQ_ESCAPE')
      return wholeFile(
        'is not valid YAML: a backslash in double quotes begins a special character',
        'Write single quotes around the text, or two backslashes for each',
        place,
      );
    return wholeFile(
      `is not valid YAML: ${error.message.replace(/[:;] .*$/s, '')}`,
      'Check indentation and quotes',
      place,
    );
  });
  for (const [alias, node] of findAliases(document)) {
    if (node !== undefined) continue;
    const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
    const place = { line, column: col };
    yamlProblems.push(
      wholeFile(
        'an alias (*name) has no anchor (&name) above it',
        'Add the anchor, or put quotes around text that starts with *',
        place,
      ),
    );
  }
  const unquoted = findUnquotedTexts(text, new Set(yamlProblems.map(({ line }) => line)));
  const explained = new Set(unquoted.map(({ line }) => line));
  const problems = [
    ...unquoted,
    ...yamlProblems.filter(({ line }) => !explained.has(line)),
    ...findRepeatedKeys(document, lines),
    ...findMisreadValues(document, lines, text),
  ];
  if (problems.length > 0) return { problems };
  if (document.contents === null)
    return { problems: [wholeFile('the file is empty', 'Write a template with `prospect-sync init`')] };
  try {
    const value: unknown = document.toJS();
    return { value };
  } catch {
    // More than 100 expansions: yaml refuses to expand a small file into a huge one.
    return { problems: [wholeFile('aliases (*name) expand too far', 'Repeat the settings instead of using aliases')] };
  }
}

/** Where the last quoted text before an error begins. */
function startOfQuoted(document: Document, end: number): number {
  let start = end;
  visit(document, {
    Scalar(_, { type, range }) {
      if ((type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') && range != null && range[0] < end) start = range[0];
    },
  });
  return start;
}

function wholeFile(rule: string, remedy: string, { line, column } = { line: 1, column: 1 }): ConfigProblem {
  return { line, column, field: '', rule, found: null, remedy };
}

function toConfigProblem({ path, rule, found, remedy }: PathProblem, position: Position): ConfigProblem {
  return { ...position, field: fieldName(path), rule, found, remedy: typeof remedy === 'function' ? remedy() : remedy };
}
