import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait in which nothing changes any more. No test depends on how long something takes. */
const hangsAfterMs = 240_000;

/**
 * Polls until `find` returns something else than null, undefined, false or 0, and returns it.
 * @param describe what was found so far: while it changes, the wait does not hang
 */
export async function until<T>(
  find: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  describe: () => string = () => '',
): Promise<T> {
  let [changedAt, last] = [performance.now(), describe()];
  for (;;) {
    const found = await find();
    if (found) return found;
    const current = describe();
    if (current !== last) [changedAt, last] = [performance.now(), current];
    if (performance.now() - changedAt > hangsAfterMs)
      throw new Error(`it did not happen: ${find.toString()} ${current}`);
    await sleep(20);
  }
}

/** Polls until `attempt` does not throw. */
export async function untilPasses(attempt: () => Promise<void>): Promise<void> {
  let last: unknown;
  await until(
    () =>
      attempt().then(
        () => true,
        (error: unknown) => {
          last = error;
          return false;
        },
      ),
    () => String(last),
  );
}
