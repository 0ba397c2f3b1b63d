/** Translates requests and answers to other choices where the specification is silent (`--assume`). */
import { alternatives } from './alternatives.ts';
import { createAnswerTranslator } from './translate-answers.ts';
import { createRequestTranslator } from './translate-requests.ts';
import { toErrorStyle } from './error-styles.ts';
import type { Choose } from './json-paths.ts';

type Proceed<C> = (request: Request, caller: C) => Promise<Response>;

/** `assume`: values of `alternatives`; by default answers follow the contract. */
export function speakDialect<C>(assume: Readonly<Record<string, string>>, proceed: Proceed<C>): Proceed<C> {
  const choose: Choose = (key) => assume[key] ?? alternatives[key]?.values[0] ?? '';
  const isDefault = Object.entries(assume).every(([key, value]) => alternatives[key]?.values[0] === value);
  if (isDefault) return proceed;
  const translateRequest = createRequestTranslator(choose);
  const translateAnswer = createAnswerTranslator(choose);
  const answer = async (request: Request, caller: C): Promise<Response> => {
    const translated = await translateRequest(request);
    const response = translated instanceof Response ? translated : await proceed(translated, caller);
    return response.status >= 400 ? toErrorStyle(choose('errors'), response) : translateAnswer(request, response);
  };
  return createLostAnswers(choose('order_created'), answer);
}

/** Loses the first answer to each placed order, or replaces it with an error. */
function createLostAnswers<C>(choice: string, proceed: Proceed<C>): Proceed<C> {
  if (choice === 'arrives') return proceed;
  const seen = new Set<string>();
  return async (request, caller) => {
    const isOrder = request.method === 'POST' && new URL(request.url).pathname === '/api/v1/orders';
    const key = request.headers.get('idempotency-key') ?? '';
    const response = await proceed(request, caller);
    if (!isOrder || !response.ok) return response;
    const isFirst = !seen.has(key);
    seen.add(key);
    if (!isFirst) {
      if (choice !== 'replay_409') return response;
      return Response.json({ code: 'DUPLICATE_REQUEST', message: 'This key was used.' }, { status: 409 });
    }
    if (choice === '503' || choice === 'replay_409')
      return Response.json({ message: 'Try again.' }, { status: 503, headers: { 'retry-after': '0' } });
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  };
}
