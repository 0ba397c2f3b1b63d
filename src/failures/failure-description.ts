/** What a type of failure means, in full sentences. Messages of failures end with the remedy; docs/troubleshooting.md lists both. */
export interface FailureDescription {
  readonly description: string;
  /** What to do; `No action needed; …` where a retry is enough. */
  readonly remedy: string;
}

export const retriedAutomatically = 'No action needed; retried automatically.';
