/** What a failure's type tells, in half sentences: they end messages, and fill the table of docs/running.md. */
export interface FailureDescription {
  readonly description: string;
  /** What a person does, or `none needed: …` where it mends itself. */
  readonly remedy: string;
}
