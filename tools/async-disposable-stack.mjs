/** What the program uses of AsyncDisposableStack, which Node has from version 24 on. */
export class AsyncDisposableStack {
  #disposals = [];

  adopt(value, onDispose) {
    this.#disposals.push(() => onDispose(value));
    return value;
  }

  defer(onDispose) {
    this.#disposals.push(onDispose);
  }

  move() {
    const moved = new AsyncDisposableStack();
    moved.#disposals = this.#disposals.splice(0);
    return moved;
  }

  /** The last in is the first out; each has its turn whatever the others did. */
  async [Symbol.asyncDispose]() {
    const errors = [];
    for (const dispose of this.#disposals.splice(0).toReversed()) {
      try {
        await dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors.reduce(suppress);
  }
}

/** As a SuppressedError, which Node 22 lacks as well. */
function suppress(suppressed, error) {
  const message = 'An error was suppressed during disposal.';
  return Object.assign(new Error(message), { name: 'SuppressedError', error, suppressed });
}
