/** Whether a text has every token of the pattern, in any case and order; `*` stands for any part of a token. */
export function matchesTokens(pattern: string): (text: string) => boolean {
  const wanted = tokensOf(pattern, /[^\p{L}\p{N}*]+/u).map(toTest);
  return (text) => {
    const tokens = tokensOf(text, /[^\p{L}\p{N}]+/u);
    return wanted.length > 0 && wanted.every((test) => tokens.some(test));
  };
}

/** Whether a text has, for every word of the query, a token that begins with it. */
export function matchesWords(query: string): (text: string) => boolean {
  const wanted = tokensOf(query, /[^\p{L}\p{N}]+/u);
  return (text) => {
    const tokens = tokensOf(text, /[^\p{L}\p{N}]+/u);
    return wanted.every((word) => tokens.some((token) => token.startsWith(word)));
  };
}

function tokensOf(text: string, separator: RegExp): string[] {
  return text
    .toLowerCase()
    .split(separator)
    .filter((token) => token !== '');
}

function toTest(pattern: string): (token: string) => boolean {
  if (!pattern.includes('*')) return (token) => token === pattern;
  const parts = pattern.split('*');
  const [beginning = ''] = parts;
  const ending = parts.at(-1) ?? '';
  const middle = parts.slice(1, -1);
  return (token) => {
    if (token.length < beginning.length + ending.length) return false;
    if (!token.startsWith(beginning) || !token.endsWith(ending)) return false;
    let rest = token.slice(beginning.length, token.length - ending.length);
    return middle.every((part) => {
      const at = rest.indexOf(part);
      rest = rest.slice(at + part.length);
      return at >= 0;
    });
  };
}
