/** Only the statements that create tables differ. */
export type DatabaseKind = 'sqlite' | 'postgres';
