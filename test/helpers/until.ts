import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait that hangs. No test depends on how long something takes. */
const hangsAfterMs = 240_000;

/** Polls until `find` returns something else than null, undefined, false or 0, and returns it. */
export async function until<T>(
  find: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  describe: () => string = () => '',
): Promise<T> {
  const started = performance.now();
  for (;;) {
    const found = await find();
    if (found) return found;
    if (performance.now() - started > hangsAfterMs)
      throw new Error(`it did not happen: ${find.toString()} ${describe()}`);
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
