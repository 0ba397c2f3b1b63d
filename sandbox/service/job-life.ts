/** The life of what is worked on: PENDING, RUNNING, then its end, which a text can ask to be FAILED or never to come. */
import { beginLife, type Life, type Progression } from '../lifecycle.ts';
import { wishesIn } from '../magic-inputs.ts';

interface Job {
  readonly start: number;
  readonly progression: Progression;
  /** How many of the same there were before: `outcome:FAILED*2` counts them. */
  readonly earlier: number;
  /** The status of a good end. */
  readonly end: string;
}

export function beginJob(text: string, { earlier, end, ...beginning }: Job): Life {
  const { outcome, outcomeTimes, stay } = wishesIn(text);
  const fails = outcome === 'FAILED' && earlier < outcomeTimes;
  return beginLife('PENDING', {
    ...beginning,
    steps: [
      ['RUNNING', 0.25],
      [fails ? 'FAILED' : end, 1],
    ],
    stay,
  });
}
