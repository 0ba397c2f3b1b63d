import { parseDuration } from '../../../sandbox/control/control-clock.ts';
import { CommandError, exitCodes } from '../terminal.ts';
import { requestControl, type ControlFlags } from './control-request.ts';

interface ClockChange {
  readonly mode?: 'real' | 'frozen';
  readonly advance?: string;
}

/** Returns the time of the sandbox clock. With a change, it applies the change and waits until all due work is done. */
export async function clock(flags: ControlFlags, change?: ClockChange) {
  return requestControl(flags, (control) =>
    change === undefined ? control.GET('/clock') : control.POST('/clock', { body: change }),
  );
}

export function toClockText({ mode, now }: { mode: string; now: string }): string {
  return `${now} (${mode === 'real' ? 'running' : 'frozen'})`;
}

/** `12h`, `1d12h`, `90s`, or ISO 8601 (`PT12H`), as ISO 8601. */
export function toDuration(text: string): string {
  const [whole, days = '', rest = ''] = /^(\d+d)?((?:\d+h)?(?:\d+m)?(?:\d+(?:\.\d+)?s)?)$/i.exec(text) ?? [];
  const duration = whole ? `P${days}${rest === '' ? '' : `T${rest}`}`.toUpperCase() : text;
  if (parseDuration(duration) !== null) return duration;
  throw new CommandError(`${text}: not a duration. Write 12h, 1d12h, 90s or PT12H`, exitCodes.usage);
}
