/** Has the sandbox answer as a service of another team would: what the specification does not show is chosen anew. */
import { alternatives } from '../../../src/contract/alternatives.ts';
import { createAnswerTranslator } from './translate-answers.ts';
import { createRequestTranslator } from './translate-requests.ts';
import { createLostAnswers } from './lost-answers.ts';
import { toErrorStyle } from './error-styles.ts';
import type { Choose } from './json-paths.ts';

type Fetch<C> = (request: Request, caller: C) => Promise<Response>;

/** `assume`: values of the table of alternatives; what is not named is as the contract says. */
export function speakDialect<C>(assume: Readonly<Record<string, string>>, proceed: Fetch<C>): Fetch<C> {
  const choose: Choose = (key) => assume[key] ?? alternatives[key]?.values[0] ?? '';
  const isOwn = Object.entries(assume).every(([key, value]) => alternatives[key]?.values[0] === value);
  if (isOwn) return proceed;
  const translateRequest = createRequestTranslator(choose);
  const translateAnswer = createAnswerTranslator(choose);
  const answer = async (request: Request, caller: C): Promise<Response> => {
    const translated = await translateRequest(request);
    const response = translated instanceof Response ? translated : await proceed(translated, caller);
    return response.status >= 400 ? toErrorStyle(choose('errors'), response) : translateAnswer(request, response);
  };
  return createLostAnswers(choose('order_created'), answer);
}
