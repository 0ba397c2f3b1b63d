/** The key in `Authorization: Bearer <API_KEY>`; empty when there is none. */
export function bearerIn(request: Request): string {
  return /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
}
