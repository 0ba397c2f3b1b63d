/** An error whose message explains what happened and what to do. Commands print it without a stack. */
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
