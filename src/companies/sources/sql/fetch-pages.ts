/** Fetches the rows of a cursor of PostgreSQL in pages of a bounded size. */
import { Query, type Client } from 'pg';
import type { SourceCell } from '../../../base/spreadsheet/table.ts';
import { measureRow, pageCharacters, rowsPerPage, type LongRow, type QueryCells } from './query-page.ts';
import { watchRowSizes } from './watch-row-sizes.ts';

/** Rejects when the work is aborted, or takes too long. */
export type InTime = <T>(work: Promise<T>) => Promise<T>;

interface FetchOptions {
  readonly inTime: InTime;
  readonly toError: (long: LongRow) => Error;
}

/**
 * Returns a function that fetches 1,000 rows, in smaller pages if they are wide: PostgreSQL waits while the connection is paused, and
 * the memory holds one page. The last page may have no rows.
 * @throws what `toError` and `inTime` give; the errors of `pg`
 */
export function createFetch(client: Client, cursor: string, { inTime, toError }: FetchOptions) {
  const { stream } = client.connection;
  const state: { rows: QueryCells[]; characters: number; count: number; isDone: boolean; failure: Error | null } = {
    rows: [],
    characters: 0,
    count: 0,
    isDone: false,
    failure: null,
  };
  let wake = () => {};
  const refuse = (long: LongRow) => {
    state.failure ??= toError(long);
    stream.pause();
    wake();
  };
  const add = (cells: QueryCells) => {
    const { characters, long } = measureRow(cells, (state.count += 1));
    if (long !== null) return refuse(long);
    state.rows.push(cells);
    state.characters += characters;
    if (state.characters < pageCharacters) return;
    stream.pause();
    wake();
  };
  const end = (failure: Error | null) => {
    Object.assign(state, { isDone: true, failure: state.failure ?? failure });
    // A paused connection does not notice its end.
    stream.resume();
    wake();
  };
  watchRowSizes(stream, refuse);
  return async function* fetchNext(): AsyncGenerator<readonly QueryCells[]> {
    Object.assign(state, { isDone: false });
    const config = { text: `fetch ${rowsPerPage} from ${cursor}`, rowMode: 'array' };
    const fetching = new Query<(SourceCell | null)[]>(config);
    fetching.on('row', add).on('end', () => end(null));
    fetching.on('error', end);
    client.query(fetching);
    do {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      stream.resume();
      if (!state.isDone) await inTime(promise);
      if (state.failure !== null) throw state.failure;
      const { rows } = state;
      Object.assign(state, { rows: [], characters: 0 });
      yield rows;
    } while (!state.isDone || state.rows.length > 0);
  };
}
