/** Describes a failure type in full sentences. Failure messages end with the remedy; docs/troubleshooting.md lists both. */
export interface FailureDescription {
  readonly description: string;
  /** What to do; `No action needed; …` when retries are enough. */
  readonly remedy: string;
}

export const retriedAutomatically = 'No action needed; retried automatically.';
