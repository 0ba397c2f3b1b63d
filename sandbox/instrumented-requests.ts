/** Applies fault rules to every request and records it in the journal. */
import { applyFault } from './faulty-response.ts';
import type { Faults } from './fault-rules.ts';
import type { Journal } from './request-journal.ts';

/** Idempotency keys of requests whose answer is delayed; HubSpot has no idempotency keys. */
export interface KeysInUse {
  readonly held: Set<string>;
  readonly refuse: () => Response;
}

interface Instrumentation {
  readonly keysInUse?: KeysInUse;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly now: () => number;
  /** Organisation or portal. */
  readonly owner: string | null;
}

export async function answerInstrumented(
  request: Request,
  { faults, journal, now, owner, keysInUse }: Instrumentation,
  proceed: () => Promise<Response>,
): Promise<Response> {
  const { method } = request;
  const { pathname, search } = new URL(request.url);
  const idempotencyKey = request.headers.get('idempotency-key');
  const place = JSON.stringify([owner, method, pathname, idempotencyKey]);
  const rule = faults.take({
    method,
    path: pathname,
    organizationId: owner ?? undefined,
    apiKey: bearerToken(request),
  });
  const entry = {
    at: now(),
    method,
    path: withoutPersonalData(pathname + search),
    owner,
    idempotency_key: idempotencyKey,
    fault_id: rule?.fault_id ?? null,
  };
  const isHeld = idempotencyKey !== null && rule?.fault.delay_ms !== undefined;
  const answer = async () => {
    if (keysInUse?.held.has(place)) return keysInUse.refuse();
    if (!rule) return proceed();
    if (isHeld) keysInUse?.held.add(place);
    return applyFault(rule.fault, proceed, request.signal).finally(() => keysInUse?.held.delete(place));
  };
  try {
    const response = await answer();
    const isComplete = rule?.fault.drip_ms === undefined && !rule?.fault.truncate;
    journal.add({ ...entry, status: response.status, code: isComplete ? await readErrorCode(response) : null });
    return response;
  } catch (error) {
    journal.add({ ...entry, status: 0, code: null });
    throw error;
  }
}

/** Removes email addresses, which HubSpot has in paths, and signed file addresses, which open a file without a key. */
function withoutPersonalData(path: string): string {
  if (path.startsWith('/files/')) return '/files/…';
  return path
    .replace(
      /^(\/communication-preferences\/[^/]+\/(?:statuses?|email)(?:\/email)?\/)(?!batch(?:\/|$))[^/?]+/,
      '$1{email}',
    )
    .replaceAll(/[^/?&=]+/g, (part) => (/@|%(?:25)*40/i.test(part) ? '{email}' : part));
}

/** The error code of a JSON answer: the first of the known fields. */
async function readErrorCode(response: Response): Promise<string | null> {
  if (response.status < 400 || response.headers.get('content-type') !== 'application/json') return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (typeof body !== 'object' || body === null) return null;
  const name = ['code', 'error', 'policyName', 'category'].find((field) => field in body);
  const code: unknown = name === undefined ? null : Reflect.get(body, name);
  return typeof code === 'string' ? code : null;
}

/** The key in `Authorization: Bearer <API_KEY>`; empty when there is none. */
export function bearerToken(request: Request): string {
  return /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
}
