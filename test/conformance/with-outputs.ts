/** Outputs and deliveries as the specification has them, in front of a stand-in: just enough to hold the checks against. */
type Fetch = (request: Request) => Promise<Response>;

interface Output {
  readonly output_id: string;
  readonly export_job_id: string;
  readonly output_type: string;
  readonly language: string;
  readonly orderId: string;
  readonly key: string;
  readonly isDerived: boolean;
  readonly statuses: string[];
}

interface Slot {
  status: string;
}

export function withOutputs(inner: Fetch): Fetch {
  const outputs: Output[] = [];

  return async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    const authorization = request.headers.get('authorization');
    const headers = new Headers(authorization === null ? {} : { authorization });
    const ask = (path: string) => inner(new Request(`${origin}${path}`, { headers }));
    const answer = (status: number, body: unknown) => Response.json(body, { status });
    const unknown = (code: string) =>
      answer(404, { code, message: 'No such thing.', resource_type: 'x', identifier: 'x' });

    const [, orderId, outputId] = /^\/api\/v1\/orders\/([^/]+)\/(?:outputs|export)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (orderId !== undefined) {
      const order = await ask(`/api/v1/orders/${orderId}`);
      if (order.status !== 200) return order;
      const { available_briefing_quantity: count } = (await order.json()) as { available_briefing_quantity: number };
      const receipt = ({ key, isDerived, orderId: _order, language: _language, statuses, ...output }: Output) => ({
        ...output,
        status: statuses.length > 1 ? statuses.shift() : statuses[0],
        result_count: count,
        result_sha256: 'ab'.repeat(32),
        location: null,
        created_at: '2026-11-01T10:00:00.000000Z',
        ...(isDerived ? { idempotency_key: key } : {}),
      });
      if (request.method === 'POST') return create(request, orderId, receipt, answer);
      const own = outputs.filter((output) => output.orderId === orderId);
      if (outputId !== undefined) {
        const found = own.find(({ output_id }) => output_id === outputId);
        return found ? answer(200, receipt(found)) : unknown('OUTPUT_NOT_FOUND');
      }
      const [limit, offset] = [Number(searchParams.get('limit') ?? 50), Number(searchParams.get('offset') ?? 0)];
      const page = own.slice(offset, offset + limit).map(receipt);
      return answer(200, { outputs: page, total: own.length, has_more: offset + page.length < own.length });
    }

    const [, jobId] = /^\/api\/v1\/exports\/jobs\/([^/]+)\/download$/.exec(pathname) ?? [];
    if (jobId !== undefined) {
      const known = await ask('/api/v1/blacklists');
      if (known.status !== 200) return known;
      const found = outputs.some(({ export_job_id }) => export_job_id === jobId);
      return found
        ? new Response(null, { status: 302, headers: { location: `/files/${jobId}` } })
        : unknown('EXPORT_JOB_NOT_FOUND');
    }
    if (pathname.startsWith('/files/')) {
      const output = outputs.find(({ export_job_id }) => export_job_id === pathname.slice(7));
      if (output?.output_type !== 'csv') return new Response('PK\u0003\u0004');
      const results = await ask(`/api/v1/orders/${output.orderId}/results?limit=100`);
      const { items } = (await results.json()) as { items: Slot[] };
      const rows = items.map(({ status }) => `"a, b",${status},"Line\nbreak"`);
      return new Response(['Company Name,Result Status,Result Reasons', ...rows].join('\r\n'));
    }

    const [, search, markdown] = /^\/api\/v1\/deliveries\/([^/]+)\/companies(\/.*)?$/.exec(pathname) ?? [];
    if (search === undefined) return inner(request);
    const assigned = await ask(`/api/v1/prospect-searches/${search}/blacklists`);
    if (assigned.status !== 200) return assigned;
    if (markdown === undefined) return answer(200, { companies: [], total: 0, limit: 50, offset: 0, has_more: false });
    const observed_at = '2026-11-01T10:00:00.000000Z';
    return answer(200, { markdown: '# A', observed_at, urls: ['https://a.example'], content_fingerprint: 'ab' });
  };

  async function create(
    request: Request,
    orderId: string,
    receipt: (output: Output) => object,
    answer: (status: number, body: unknown) => Response,
  ): Promise<Response> {
    const { output_type, output_language: language = 'en' } = (await request.json()) as Record<string, string>;
    if (output_type !== 'csv' && output_type !== 'xlsx') {
      return answer(422, { detail: [{ loc: ['body', 'output_type'], msg: 'is unknown', type: 'invalid_value' }] });
    }
    const sent = request.headers.get('idempotency-key');
    const destination = [orderId, output_type, language].join();
    const existing = outputs.find(
      (output) => [output.orderId, output.output_type, output.language].join() === destination,
    );
    if (existing && sent !== null && existing.key !== sent) {
      return answer(409, { code: 'OUTPUT_IDEMPOTENCY_CONFLICT', message: 'Another key claims this destination.' });
    }
    if (existing) return answer(202, { ...receipt(existing), created: false });
    const output: Output = {
      output_id: crypto.randomUUID(),
      export_job_id: crypto.randomUUID(),
      output_type,
      language,
      orderId,
      key: sent ?? destination,
      isDerived: sent === null,
      statuses: ['PENDING', 'RUNNING', 'COMPLETED'],
    };
    outputs.push(output);
    return answer(202, { ...receipt(output), created: true });
  }
}
