/** Marks that no character of any language has so many of (UAX #15, stream-safe text). */
const needlessMarks = /(?<=\p{M}{30})\p{M}+/gu;

/** `text.normalize(form)`, which takes the square of the marks on one character: those beyond the 30th are left out. */
export function normalizeText(text: string, form: 'NFD' | 'NFKC'): string {
  return text.replaceAll(needlessMarks, '').normalize(form);
}
