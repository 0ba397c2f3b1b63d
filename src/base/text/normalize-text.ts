/** The marks on a character after the 30th; no language uses that many (UAX #15, stream-safe text). */
const needlessMarks = /(?<=\p{M}{30})\p{M}+/gu;

/** Most texts, which each form leaves as they are. */
const asciiOnly = /^[\0-\x7f]*$/;

/** `text.normalize(form)` in linear time: marks after the 30th on a character are removed, because they cost quadratic time. */
export function normalizeText(text: string, form: 'NFD' | 'NFKC'): string {
  if (asciiOnly.test(text)) return text;
  return text.replaceAll(needlessMarks, '').normalize(form);
}

/** Letters that have no marks of their own in Unicode. */
const barredLetters: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ı: 'i' };

/** `Zurich` of `Zürich`, `Lodz` of `Łódź` */
export function withoutMarks(text: string): string {
  if (asciiOnly.test(text)) return text;
  const plain = normalizeText(text, 'NFD').replaceAll(/\p{M}/gu, '');
  return plain.replaceAll(/[łøđı]/gi, (letter) => barredLetters[letter] ?? letter);
}

/** Both sentences, whether or not the first ends with a full stop, a question mark or an exclamation mark. */
export function withSentence(text: string, sentence: string): string {
  const first = withoutFullStop(text);
  return `${first}${first.endsWith('?') || first.endsWith('!') ? '' : '.'} ${sentence}`;
}

/** For a text of another program that becomes a part of a sentence. */
export function withoutFullStop(text: string): string {
  return trimEndOf(text, '. \n\t');
}

/** Removes these characters from the end in linear time; a pattern would take quadratic time for a long row of them. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
