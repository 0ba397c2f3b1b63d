/** Ends a check as not checked, with the reason. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** Ends a check after its finding was recorded. */
export class CheckEnded extends Error {
  override readonly name = 'CheckEnded';

  constructor() {
    super('the finding is recorded');
  }
}
