/** Ends a check that cannot be made here, with the reason. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** Ends a check whose finding is recorded already. */
export class CheckEnded extends Error {
  override readonly name = 'CheckEnded';

  constructor() {
    super('the finding is recorded');
  }
}
