/** The first characters of a text. A character is a code point: none is cut in half (A63). */
export function truncateText(text: string, atMost: number): string {
  // No text has more code points than UTF-16 units.
  return text.length <= atMost ? text : Iterator.from(text).take(atMost).toArray().join('');
}
