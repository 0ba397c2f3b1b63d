/** Texts that may change between releases of the service ("Reason object": the code is the stable contract). */
const wordings = new Set(['message', 'label']);

/**
 * True when two answers say the same of what both know: wordings may differ, and a field that only one of them has is
 * a matter of releases, not of content.
 */
export function isSameContent(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameContent(item, b[index]));
  }
  if (!isFields(a) || !isFields(b)) return a === b;
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key) && !wordings.has(key));
  return shared.every((key) => isSameContent(a[key], b[key]));
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
