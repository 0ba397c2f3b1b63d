/**
 * How one clause of the specification is checked: by the ids of checks, by a test of prospect-sync as a client, or not at all
 * because it states nothing that can be observed.
 */
export type Coverage = readonly string[] | typeof clientRule | { readonly notObservable: string };

export const clientRule = 'rule for clients';

/** Clauses by section and name, as tools/specification-clauses.ts reads them from the text. */
export type ClauseTable = Readonly<Record<string, Readonly<Record<string, Coverage>>>>;
