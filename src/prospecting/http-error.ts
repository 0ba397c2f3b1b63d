import { z } from 'zod';
import { ProspectingError } from './error.ts';
import { retryAfterSeconds } from '../retry-after.ts';

/** Only what looks like a code, a scope or a field gets into an error: a text may repeat a value of the request. */
const word = z.string().regex(/^[\w.:-]{1,100}$/);

const errorBodySchema = z.looseObject({
  code: word.optional().catch(undefined),
  error: word.optional().catch(undefined),
  request_id: word.optional().catch(undefined),
  required_scopes: z.array(word).optional().catch(undefined),
  user_scopes: z.array(word).optional().catch(undefined),
  detail: z
    .array(z.looseObject({ loc: z.array(z.union([word, z.int()]).catch('?')), type: word.catch('?') }))
    .optional()
    .catch(undefined),
});

/** An answer outside 2xx, whatever its body is: JSON of the service, a gateway's page, or nothing. */
export async function toHttpError(request: Request, response: Response): Promise<ProspectingError> {
  const body = errorBodySchema.safeParse(await response.json().catch(() => null));
  const facts = body.success ? body.data : {};
  return new ProspectingError({
    kind: 'http',
    method: request.method,
    path: new URL(request.url).pathname,
    status: response.status,
    code: facts.code ?? facts.error,
    requestId: facts.request_id,
    requiredScopes: facts.required_scopes,
    heldScopes: facts.user_scopes,
    retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), Date.now()),
    // Only where the service objects, never what it says.
    detail: toDetail(facts.detail),
  });
}

function toDetail(found: z.infer<typeof errorBodySchema>['detail']): string | undefined {
  if (found === undefined || found.length === 0) return undefined;
  const more = found.length > 10 ? `; and ${found.length - 10} more` : '';
  return (
    found
      .slice(0, 10)
      .map(({ loc, type }) => `${loc.join('.')} (${type})`)
      .join('; ') + more
  );
}
