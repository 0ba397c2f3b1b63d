/** Marks that no character of any language has so many of (UAX #15, stream-safe text). */
const needlessMarks = /(?<=\p{M}{30})\p{M}+/gu;

/** `text.normalize(form)`, which takes the square of the marks on one character: those beyond the 30th are left out. */
export function normalizeText(text: string, form: 'NFD' | 'NFKC'): string {
  return text.replaceAll(needlessMarks, '').normalize(form);
}

/** A text without any of these characters at its end; a pattern would look through a long row of them again from each one. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
