/** Faults of punctuation that joined texts have. A dot within a path or an ellipsis is none. */
const faults: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['two full stops', /(?<![./])\.\.(?![./])|[.?!] \.|[?!]\./],
  ['a space before a full stop', / \.(?![\w/.])/],
  ['two spaces', / {2}/],
  ['a small letter after a full stop', /[^.]\. (?!prospect-sync\b)[a-z]/],
];

/** The faults of a message or a remedy, in words; none of a plain one. */
export function faultsOf(text: string): string[] {
  return faults.flatMap(([name, pattern]) => (pattern.test(text) ? [`${name}: ${text}`] : []));
}
