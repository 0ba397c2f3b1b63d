/**
 * The little Markdown that the Temporal UI needs. Texts of settings must not turn into markup; HTML is not shown there, and
 * tables have neither lines nor gaps (2.50), so that lists are used.
 */

export function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\*[\]<|]/g, String.raw`\$&`);
}

export function toList(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, text]) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(text)}`).join('\n');
}
