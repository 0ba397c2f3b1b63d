/** Counts the deliveries that each signing secret has verified. A count costs no transaction of its own: they are saved once a second. */
import { errorName } from '../base/failures/error-name.ts';
import type { SecretUse, SecretUseStore } from '../ledger/secret-use-store.ts';
import type { Log } from '../base/logs.ts';

export interface SecretUses {
  readonly count: (endpoint: string, fingerprint: string, at: string) => void;
  /** Saves what is counted; never throws. */
  readonly save: () => Promise<void>;
}

/** A process that is killed loses the counts of this time, which only `secrets check` shows. */
const saveEveryMs = 1_000;

export function createSecretUses(store: Pick<SecretUseStore, 'add'>, log: Log): SecretUses {
  let counted = new Map<string, SecretUse>();
  let timer: NodeJS.Timeout | null = null;

  function add({ endpoint, fingerprint, deliveries, lastAt }: SecretUse): void {
    const key = `${endpoint} ${fingerprint}`;
    const before = counted.get(key)?.deliveries ?? 0;
    counted.set(key, { endpoint, fingerprint, deliveries: before + deliveries, lastAt });
    timer ??= setTimeout(() => void save(), saveEveryMs).unref();
  }

  async function save(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const uses = [...counted.values()];
    counted = new Map();
    if (uses.length === 0) return;
    try {
      await store.add(uses);
    } catch (error) {
      log(`The uses of the signing secrets were not saved: ${errorName(error)}. They are tried again`, 'warn');
      for (const use of uses) add(use);
    }
  }

  return {
    count: (endpoint, fingerprint, lastAt) => add({ endpoint, fingerprint, deliveries: 1, lastAt }),
    save,
  };
}
