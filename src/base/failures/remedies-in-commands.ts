/** Remedies as a command prints them that did the step itself: no retry follows. */

/** `No action needed; retried automatically for 14 days. If it lasts, check X.` becomes `Check X.`, and `Free disk space; the step is retried …` ends before. */
export function withoutRetries(text: string): string {
  return text
    .replace(
      /No action needed; (?:the step is )?retried[^.]{0,100}\.(?: If it lasts, ([a-z]))?/g,
      (_, first?: string) => (first === undefined ? 'Try again later.' : first.toUpperCase()),
    )
    .replace(/; the step is retried[^.;]{0,100}/g, '');
}

/** `doctor` does not send its reader to `doctor`. */
export function withoutDoctor(text: string): string {
  return text
    .replace(/; (?:run )?`prospect-sync doctor`[^.;]{0,100}/g, '')
    .replace(/ ?Run `prospect-sync doctor`[^.]{0,100}\./g, '');
}
