const day = 86_400_000;

/** Offset of a time zone from UTC in milliseconds. Throws RangeError for an unknown time zone. */
export function offsetMs(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** `+01:00` */
export function offsetText(at: number, timeZone: string): string {
  const minutes = offsetMs(at, timeZone) / 60_000;
  const [whole, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(whole).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

/** The end of the present day in a time zone. A day has 23 to 25 hours. */
export function nextMidnight(at: number, timeZone: string): number {
  const local = at + offsetMs(at, timeZone);
  const midnight = local - (((local % day) + day) % day) + day;
  // The clocks may change before midnight: its offset is that of the evening, not of now.
  const guess = midnight - offsetMs(at, timeZone);
  return midnight - offsetMs(guess - 1, timeZone);
}
