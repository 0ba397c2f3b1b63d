import { z } from 'zod';
import { toPrintableKey } from '../text/printable-text.ts';
import { toStrict } from './strict.ts';
import { boundWord } from '../text/bound-word.ts';

/**
 * A reader for what an answer says that this version does not know: new fields as `company.colour`, new words as
 * `status=TELEPORTED`; positions in lists are written as `[]`. Values other than words of open lists are never told.
 */
export function createUnknownReader(schema: z.core.$ZodType): (value: unknown) => string[] {
  const strict = toStrict(schema);
  return (value) => {
    const result = z.safeParse(strict, value);
    return result.success ? [] : result.error.issues.flatMap((issue) => toUnknown(issue, value));
  };
}

function toUnknown(issue: z.core.$ZodIssue, root: unknown): string[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? '[]' : String(key)));
  const name = path.join('.').replaceAll('.[]', '[]');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(toPrintableKey).map((key) => (name === '' ? key : `${name}.${key}`));
  if (issue.code !== 'invalid_value') return [];
  const word = issue.path.reduce(
    (value: unknown, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
  return typeof word === 'string' ? [`${name}=${boundWord(word)}`] : [];
}
