/** Check of `doctor` on the receivers of order notifications, by a HEAD request: a POST could start something at the receiver. */
import type { Config } from '../../config/config.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { isRedirect } from '../../base/http/http-answer.ts';
import { describeLostConnection } from '../../service/client/service-transport.ts';

interface ReceiverDependencies {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
}

const timeoutSeconds = 5;
/** Status of a proxy without a server behind it. A 404 or 405 is no problem: many receivers accept only POST. */
const nothingBehindProxy = new Set([502, 503, 504]);

/**
 * One check for each `webhook_url` of the configured runs. A missing receiver is a warning only: the notifications are optional, prospect-sync
 * polls the order, and the network of the service may reach addresses that this machine does not.
 */
export async function checkOrderReceivers(
  { runs }: Pick<Config, 'runs'>,
  dependencies: ReceiverDependencies,
): Promise<Check[]> {
  const named = Object.entries(runs).flatMap(([name, { webhookUrl }]) =>
    webhookUrl === null ? [] : [{ name, webhookUrl }],
  );
  const runsByUrl = Map.groupBy(named, ({ webhookUrl }) => webhookUrl);
  return Promise.all(
    [...runsByUrl].map(async ([url, users]) => {
      const problem = await findReceiverProblem(url, dependencies);
      // The path can contain a secret of the receiver, so only the origin is printed.
      const { origin } = new URL(url);
      const check = 'order receiver';
      const settings = users.map(({ name }) => `runs.${name}.webhook_url`).join(', ');
      if (problem === null) return { check, state: 'ok', message: `${origin} answers (${settings})` } as const;
      const message = `${origin} ${problem} (${settings}). Start the receiver, correct the address, or remove the setting; runs do not need it`;
      return { check, state: 'warning', message } as const;
    }),
  );
}

/** null: something answers there. */
async function findReceiverProblem(url: string, { fetch, signal }: ReceiverDependencies): Promise<string | null> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const response = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    if (isRedirect(response)) return `redirects with HTTP ${response.status}, and a notification may not follow`;
    return nothingBehindProxy.has(response.status) ? `has no receiver behind its proxy: HTTP ${response.status}` : null;
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return `did not answer within ${timeoutSeconds} seconds`;
    // The code only: the message of a connection error can contain the whole address.
    return `could not be reached: ${describeLostConnection(error)}`;
  }
}
