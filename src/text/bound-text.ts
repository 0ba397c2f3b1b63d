/** The longest text of others that a pattern is applied to, in UTF-16 units; HubSpot takes no longer property value either. */
export const longestText = 65_536;

/**
 * The beginning of a text of others; never half a character. Values of slots, HubSpot values, cells of files and error
 * bodies pass here before any pattern is applied to them.
 */
export function boundText(text: string): string {
  if (text.length <= longestText) return text;
  const last = text.charCodeAt(longestText - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? longestText - 1 : longestText);
}

/** JSON with every text cut so. */
export function boundTexts(json: unknown): unknown {
  if (typeof json === 'string') return boundText(json);
  if (Array.isArray(json)) return json.map(boundTexts);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [boundText(key), boundTexts(value)]));
}
