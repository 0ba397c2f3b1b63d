/** An error whose message tells the user what happened and what to do, so that no stack is needed. */
export class ExplainedError extends Error {
  override readonly name: string = 'ExplainedError';
  /** The exit code of a command that ends with this error. */
  readonly exitCode: 1 | 2 | 3 = 1;
}

/** An environment variable or an option is invalid. */
export class InvalidSettingError extends ExplainedError {
  override readonly name: string = 'InvalidSettingError';
  override readonly exitCode = 2;
}
