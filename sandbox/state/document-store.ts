import type { Database } from './state-database.ts';

/** Documents of one kind and one owner, in the order of their creation. Reads return copies. */
export interface Documents<T> {
  get(id: string): T | undefined;
  /** Creates or replaces the document; a replaced document keeps its place. */
  set(id: string, document: T): void;
  delete(id: string): void;
  values(page?: { readonly limit: number; readonly offset: number }): T[];
  entries(): [id: string, document: T][];
  readonly size: number;
}

export const documentsSchema = `
  CREATE TABLE IF NOT EXISTS documents (
    place INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (owner, kind, id)
  );
  CREATE INDEX IF NOT EXISTS documents_in_order ON documents (owner, kind, place);
`;

/** `T` must be plain JSON data. */
export function createDocuments<T>(database: Database, owner: string, kind: string): Documents<T> {
  const read = (body: unknown): T => JSON.parse(String(body));
  return {
    get(id) {
      const row = database.get('SELECT body FROM documents WHERE owner = ? AND kind = ? AND id = ?', owner, kind, id);
      return row && read(row['body']);
    },
    set(id, document) {
      database.run(
        `INSERT INTO documents (owner, kind, id, body) VALUES (?, ?, ?, ?)
         ON CONFLICT (owner, kind, id) DO UPDATE SET body = excluded.body`,
        owner,
        kind,
        id,
        JSON.stringify(document),
      );
    },
    delete(id) {
      database.run('DELETE FROM documents WHERE owner = ? AND kind = ? AND id = ?', owner, kind, id);
    },
    values({ limit, offset } = { limit: -1, offset: 0 }) {
      return database
        .all(
          'SELECT body FROM documents WHERE owner = ? AND kind = ? ORDER BY place LIMIT ? OFFSET ?',
          owner,
          kind,
          limit,
          offset,
        )
        .map((row) => read(row['body']));
    },
    entries: () =>
      database
        .all('SELECT id, body FROM documents WHERE owner = ? AND kind = ? ORDER BY place', owner, kind)
        .map((row) => [String(row['id']), read(row['body'])]),
    get size() {
      return Number(
        database.get('SELECT count(*) AS n FROM documents WHERE owner = ? AND kind = ?', owner, kind)?.['n'],
      );
    },
  };
}
