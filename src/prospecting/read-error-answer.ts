import { answerTooLarge, readBoundedText } from '../http/bounded-body.ts';
import { parseJsonWithinLimits } from '../json/json-limits.ts';
import { readError } from '../shape/read-error.ts';
import { ProspectingError } from './prospecting-error.ts';
import { retryAfterSeconds } from '../http/retry-after.ts';
import { toStorable } from '../text/storable.ts';

/** The error of an answer outside 2xx. The values of `sent`, the request body, and `secret`, the API key, are removed from it. */
export async function toHttpError(
  request: Request,
  response: Response,
  hidden: { readonly sent: unknown; readonly secret: string },
): Promise<ProspectingError> {
  const call = { method: request.method, path: new URL(request.url).pathname, status: response.status };
  const text = await readBoundedText(response).catch(() => '');
  if (text === null) return new ProspectingError({ kind: 'contract', ...call, detail: answerTooLarge });
  const answer = toStorable(parseJsonWithinLimits(text))?.value ?? null;
  return new ProspectingError({
    kind: 'http',
    ...call,
    ...readError(answer, hidden),
    retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), Date.now()),
    answer,
    location: response.headers.get('location'),
  });
}
