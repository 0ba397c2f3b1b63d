/**
 * Markdown for the Temporal UI. External texts and settings are escaped: the UI (2.50) renders raw HTML and turns bare
 * addresses into links. Lists are used because it shows tables without lines and gaps.
 */
import { toPrintable } from './printable-text.ts';

/** Characters that start markup anywhere, character references included. Both renderers of the UI accept a backslash before them. */
const anywhere = /[\\*[\]<>|~$&{}]|(?<!\w)_|_(?!\w)/g;
/** The colon of `https://` and `mailto:`. Escaped, the address does not become a link. */
const schemes = /:(?=\/\/)|(?<=mailto):/gi;
/** Starts a heading, a list entry, a horizontal line or a definition. */
const atStart = /^[#+\-:]|(?<=^\d{1,9})[.)]/;

/** Escapes a text and puts it on one line. */
export function escapeMarkdown(text: string): string {
  return toPrintable(text.replaceAll(/\s+/g, ' ').trim())
    .replaceAll(anywhere, String.raw`\$&`)
    .replaceAll(schemes, String.raw`\$&`)
    .replace(atStart, String.raw`\$&`);
}

/** Shows a name, code or path literally. */
export function toCodeSpan(text: string): string {
  return `\`${toPrintable(text).replaceAll('`', "'")}\``;
}

export function toList(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, text]) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(text)}`).join('\n');
}
