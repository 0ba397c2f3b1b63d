/** For example `ECONNREFUSED`, `CERT_HAS_EXPIRED`. Without instanceof, because jest has its own Error class. */
export function systemCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
