// HubSpot refuses a whole batch for one row in some cases (a unique value that another record holds: 409), and names that row at best in a text.
import { NON_UNIQUE_ID_PROPERTY } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';

export interface FailedRow {
  readonly ok: false;
  readonly error: HubSpotError;
}

/** So many lone rows, taken from all over the batch, refused with 400 and none accepted: then it is not the rows. */
const LONE_REFUSALS_TO_GIVE_UP = 4;
/** Batches up to this size are tried to the last row; that costs 15 calls at most. */
const ALWAYS_TO_THE_END = 8;

/**
 * Sends the rows, and after a refusal that one row can cause (400, 409) halves of them, until each refused row stands alone.
 * Costs about 2 × log2(n) calls for one bad row, 2n − 1 if all are.
 * @param send sends a piece whole; throws HubSpotError when the piece is refused as a whole
 * @returns what `send` returned, and a FailedRow for each row that was refused alone
 * @throws HubSpotError that is not about a row (other statuses, no answer), or a 400 that every row meets
 */
export async function sendWithBisect<Row, Result>(
  rows: readonly Row[],
  send: (piece: readonly Row[]) => Promise<Map<Row, Result>>,
): Promise<Map<Row, Result | FailedRow>> {
  const results = new Map<Row, Result | FailedRow>();
  const pieces: (readonly Row[])[] = rows.length === 0 ? [] : [rows];
  let loneRefusals = 0;
  let anyAccepted = false;
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    try {
      for (const [row, result] of await send(piece)) results.set(row, result);
      anyAccepted = true;
    } catch (error) {
      if (!(error instanceof HubSpotError) || !canBeAboutARow(error)) throw error;
      const [row] = piece;
      if (row !== undefined && piece.length === 1) {
        results.set(row, { ok: false, error });
        loneRefusals += 1;
        const isAboutAll = !anyAccepted && loneRefusals >= LONE_REFUSALS_TO_GIVE_UP && rows.length > ALWAYS_TO_THE_END;
        if (isAboutAll && error.status === 400 && pieces.length > 0) throw error;
        // The largest piece next: it holds the rows farthest from those already tried.
        pieces.sort((a, b) => a.length - b.length);
      } else {
        const middle = Math.ceil(piece.length / 2);
        pieces.push(piece.slice(middle), piece.slice(0, middle));
      }
    }
  }
  return results;
}

function canBeAboutARow({ kind, status, code }: HubSpotError): boolean {
  return kind === 'http' && (status === 400 || status === 409) && code !== NON_UNIQUE_ID_PROPERTY;
}
