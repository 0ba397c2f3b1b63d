/** Tells the user once of a Temporal that no longer answers, and once that it answers again. */
import type { Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface OutageWatch {
  /** `since`: when the attempt began, by performance.now(). `reason`: why it had no answer. */
  readonly unanswered: (since: number, reason: string) => void;
  readonly answered: () => void;
}

/** A restart takes less, and nobody needs to hear of it. */
const toleratedMs = 5_000;

export interface OutageWatchSettings {
  readonly say: Terminal['say'];
  readonly address: string;
  /** What to do where nobody else starts Temporal again. */
  readonly hint: string | null;
  /** Milliseconds. */
  readonly clock?: () => number;
}

export function watchOutage({ say, address, hint, clock = () => performance.now() }: OutageWatchSettings): OutageWatch {
  let began: number | null = null;
  let lastAnswer = clock();
  let isTold = false;
  return {
    unanswered(since, reason) {
      began ??= Math.max(since, lastAnswer);
      if (isTold || clock() - began < toleratedMs) return;
      isTold = true;
      const waits = `Waiting until it answers; what was started is not started again. Ctrl-C ends only this command.`;
      say(
        `Temporal at ${address} does not answer: ${toPrintable(reason)}. ${waits}${hint === null ? '' : ` ${hint}`}`,
        'warn',
      );
    },
    answered() {
      if (isTold && began !== null)
        say(`Temporal at ${address} answers again after ${Math.round((clock() - began) / 1_000)} s. Continuing.`);
      lastAnswer = clock();
      began = null;
      isTold = false;
    },
  };
}
