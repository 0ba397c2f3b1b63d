const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Milliseconds of an ISO 8601 duration in days, hours, minutes and seconds (`P1DT12H`); null for anything else. */
export function parseDuration(text: string): number | null {
  const [whole, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.exec(text) ?? [];
  if (whole === undefined || /[PT]$/.test(whole)) return null;
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}
