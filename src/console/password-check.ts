/** Checks passwords one after another, and limits wrong ones. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { toDecoyHash, verifyPassword } from '../base/password-hash.ts';
import type { Log } from '../base/logs.ts';
import type { SignInConfig } from '../config/console-settings.ts';

const wrongPerMinute = 10;
const minuteMs = 60_000;
const anyName = 'any name';
/** Passwords that wait for their turn, each some tenths of a second. */
const mostWaiting = 50;

interface Given {
  readonly name: string;
  readonly password: string;
  /** Of the client, for the limit. */
  readonly address: string;
}

export interface CheckDependencies {
  /** Milliseconds, for the limit of wrong passwords. */
  readonly now: () => number;
  readonly log: Log;
}

type PasswordResult = 'right' | 'wrong' | 'limited';

/**
 * A password that was right is remembered as a keyed digest until the process ends, so that later requests cost nothing, and are not limited.
 * An unknown name takes as long as a wrong password. A wrong one is logged, with the name only if it is a user's: people type their password there.
 */
export function createPasswordCheck(users: SignInConfig['users'], { now, log }: CheckDependencies) {
  const key = randomBytes(32);
  const remembered = new Map<string, Buffer>();
  const [someHash] = users.values();
  const decoy = someHash === undefined ? null : toDecoyHash(someHash.reveal());
  const wrong = new Map<string, number>();
  let minute = 0;
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const isRemembered = (name: string, digest: Buffer) => {
    const known = remembered.get(name);
    return known !== undefined && timingSafeEqual(known, digest);
  };

  async function verify({ name, password, address }: Given, digest: Buffer): Promise<PasswordResult> {
    if (isRemembered(name, digest)) return 'right';
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) wrong.clear();
    minute = current;
    const counted = [`name ${name}`, `address ${address}`];
    if (counted.some((subject) => (wrong.get(subject) ?? 0) >= wrongPerMinute)) return 'limited';
    const hash = users.get(name)?.reveal() ?? decoy;
    if (hash !== null && (await verifyPassword(password, hash)) && users.has(name)) {
      remembered.set(name, digest);
      return 'right';
    }
    for (const subject of [...counted, anyName]) wrong.set(subject, (wrong.get(subject) ?? 0) + 1);
    logWrong(name);
    return 'wrong';
  }

  /** A few lines a minute: guesses must not fill a log. */
  function logWrong(name: string): void {
    const count = wrong.get(anyName) ?? 0;
    if (count > wrongPerMinute) return;
    const subject = users.has(name) ? name : 'a name that is not in console.users';
    const rest = count === wrongPerMinute ? '. Further ones of this minute are not logged' : '';
    log(`Console: wrong password for ${subject}${rest}`, 'warn');
  }

  return async (given: Given): Promise<PasswordResult> => {
    const digest = createHmac('sha256', key).update(given.password).digest();
    if (isRemembered(given.name, digest)) return 'right';
    if (waiting >= mostWaiting) return 'limited';
    waiting += 1;
    // One at a time: the memory of a check, and that each guess is counted before the next one.
    const result = turn.then(() => verify(given, digest));
    turn = result.catch(() => undefined);
    return result.finally(() => (waiting -= 1));
  };
}
