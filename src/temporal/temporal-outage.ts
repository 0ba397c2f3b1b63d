/** Logs once that Temporal does not answer, and once that it answers again. */
import type { Log } from '../telemetry/logs.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface OutageWatch {
  /** `since`: when the attempt began, by performance.now(). `reason`: why there was no answer. */
  readonly unanswered: (since: number, reason: string) => void;
  readonly answered: () => void;
}

/** A restart takes less time, and is not worth a message. */
const toleratedMs = 5_000;

export interface OutageWatchSettings {
  readonly log: Log;
  readonly address: string;
  /** What to do when Temporal is not restarted automatically. */
  readonly hint: string | null;
  /** Milliseconds. */
  readonly clock?: () => number;
}

export function watchOutage({ log, address, hint, clock = () => performance.now() }: OutageWatchSettings): OutageWatch {
  let began: number | null = null;
  let lastAnswer = clock();
  let isLogged = false;
  return {
    unanswered(since, reason) {
      began ??= Math.max(since, lastAnswer);
      if (isLogged || clock() - began < toleratedMs) return;
      isLogged = true;
      const waits = `Waiting until it answers; nothing is started twice. Ctrl-C stops only this command.`;
      log(
        `Temporal at ${address} does not answer: ${toPrintable(reason)}. ${waits}${hint === null ? '' : ` ${hint}`}`,
        'warn',
      );
    },
    answered() {
      if (isLogged && began !== null)
        log(`Temporal at ${address} answers again after ${Math.round((clock() - began) / 1_000)} s. Continuing.`);
      lastAnswer = clock();
      began = null;
      isLogged = false;
    },
  };
}
