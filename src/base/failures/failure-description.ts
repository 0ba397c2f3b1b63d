/** Describes a failure type in full sentences. Failure messages end with the remedy; docs/troubleshooting.md lists both. */
export interface FailureDescription {
  readonly description: string;
  /** The remedy; `No action needed; …` if retries are enough. */
  readonly remedy: string;
}

export const retriedAutomatically = 'No action needed; retried automatically.';
