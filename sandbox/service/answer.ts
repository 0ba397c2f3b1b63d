export interface Answer {
  readonly status: number;
  /** Absent for an empty body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
