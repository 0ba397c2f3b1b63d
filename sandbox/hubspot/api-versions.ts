/** `legacy`: v3 and v4, which behave alike. */
export type ApiVersion = 'legacy' | '2026-03' | '2026-09';

export const datedVersions = ['2026-03', '2026-09'] as const satisfies readonly ApiVersion[];

const dated = /^\/(?:[a-z-]+\/){1,2}(\d{4}-\d\d)(?:\/|$)/;

/** The version that a path asks for; undefined for a date that HubSpot does not have. */
export function versionOf(path: string): ApiVersion | undefined {
  const date = dated.exec(path)?.[1];
  return date === undefined ? 'legacy' : datedVersions.find((version) => version === date);
}
