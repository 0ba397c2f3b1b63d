/** Texts that may change between releases of the service ("Reason object": only the code is stable). */
const unstableFields = new Set(['message', 'label']);

/**
 * Compares the fields that both answers have, without unstable texts. A field that only one of them has comes from another release of
 * the service.
 */
export function isSameContent(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameContent(item, b[index]));
  }
  if (!isFields(a) || !isFields(b)) return a === b;
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key) && !unstableFields.has(key));
  return shared.every((key) => isSameContent(a[key], b[key]));
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
