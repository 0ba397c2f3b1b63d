/**
 * The little Markdown that the Temporal UI needs. Texts of settings and of others must not turn into markup: its server
 * (2.50) renders HTML as it comes, and makes links of bare addresses. Tables have neither lines nor gaps there, so that
 * lists are used.
 */
import { toPrintable } from './printable-text.ts';

/** What begins markup anywhere, all of which both of its renderers take a backslash before. Character references are markup too. */
const anywhere = /[\\*[\]<>|~$&{}]|(?<!\w)_|_(?!\w)/g;
/** `https://`, `mailto:`: without its colon no address becomes a link. */
const schemes = /:(?=\/\/)|(?<=mailto):/gi;
/** A heading, an entry of a list, a line across or a definition. */
const atStart = /^[#+\-:]|(?<=^\d{1,9})[.)]/;

/** One line. */
export function escapeMarkdown(text: string): string {
  return toPrintable(text.replaceAll(/\s+/g, ' ').trim())
    .replaceAll(anywhere, String.raw`\$&`)
    .replaceAll(schemes, String.raw`\$&`)
    .replace(atStart, String.raw`\$&`);
}

/** A name, code or path as it is. */
export function toCodeSpan(text: string): string {
  return `\`${toPrintable(text).replaceAll('`', "'")}\``;
}

export function toList(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, text]) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(text)}`).join('\n');
}
