/** The words of long lists that are written as lines of text. */
export function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.trim().split(/\s+/));
}
