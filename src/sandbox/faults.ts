/** A rule that spoils the next `times` requests that it matches. Rules are tried in the order in which they were added. */
export interface Fault {
  readonly method?: string;
  /** The start of the path, or a pattern for it. */
  readonly path: string | RegExp;
  /** Answered instead of HubSpot's own status. Without `dropAfterCommit` the request is not carried out. */
  readonly status?: number;
  /** Answered as JSON; none gives an answer without a body and without a content type. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request is carried out, then its answer is lost: `status` is answered instead or, without one, the connection breaks. */
  readonly dropAfterCommit?: true;
  readonly times: number;
}

export interface Faults {
  add(fault: Fault): void;
  /** The first rule that matches, which has then one time less. */
  take(method: string, path: string): Fault | undefined;
}

export function createFaults(): Faults {
  const rules: { fault: Fault; left: number }[] = [];
  return {
    add(fault) {
      rules.push({ fault, left: fault.times });
    },
    take(method, path) {
      const index = rules.findIndex(({ fault }) => matches(fault, method, path));
      const rule = rules[index];
      if (!rule) return undefined;
      rule.left -= 1;
      if (rule.left <= 0) rules.splice(index, 1);
      return rule.fault;
    },
  };
}

/** Carries out a faulty exchange. Rejects as `fetch` does on a reset when the rule breaks the connection. */
export async function answerFaulty(fault: Fault, proceed: () => Promise<Response>): Promise<Response> {
  if (fault.dropAfterCommit) await proceed();
  if (fault.status === undefined) {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  }
  const init = { status: fault.status, headers: { ...fault.headers } };
  return fault.body === undefined ? new Response(null, init) : Response.json(fault.body, init);
}

function matches(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method !== method) return false;
  return typeof fault.path === 'string' ? path.startsWith(fault.path) : fault.path.test(path);
}
