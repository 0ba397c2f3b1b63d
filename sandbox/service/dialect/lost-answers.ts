type Fetch<C> = (request: Request, caller: C) => Promise<Response>;

/** The first answer to each order that is placed: lost on the way, or a fault although the order was placed. */
export function createLostAnswers<C>(choice: string, proceed: Fetch<C>): Fetch<C> {
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
