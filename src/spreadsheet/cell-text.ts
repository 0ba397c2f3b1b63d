/** What no file may hold: XML cannot carry most control characters, and RFC 4180 allows none of them. */

// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g;

/** One quick look spares most cells the passes. */
// oxlint-disable-next-line no-control-regex
const suspect = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uD800-\uDFFF\uFFFE\uFFFF]/;

/** The text without control characters, but for tabs and line breaks; half of a surrogate pair becomes U+FFFD. */
export function toFileText(text: string): string {
  return suspect.test(text) ? text.replaceAll(forbidden, '').toWellFormed() : text;
}
