/** API keys, derived from the seed; each has one organisation and its scopes. */
import { digestOf } from '../deterministic-values.ts';
import type { StoredKey } from '../state/stored-records.ts';
import type { Store } from '../state/sandbox-store.ts';

interface KeyFacts {
  readonly organizationId: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: Date | undefined;
}

export function createApiKeys(seed: number, { keys, count }: Pick<Store, 'keys' | 'count'>) {
  return {
    issue({ organizationId, scopes, expiresAt }: KeyFacts): { apiKey: string; keyId: string } {
      const digest = digestOf(seed, organizationId, 'key', count(`key/${organizationId}`));
      const apiKey = `sk_sandbox_${digest.slice(0, 40)}`;
      const keyId = `key_${digestOf(apiKey).slice(0, 16)}`;
      keys.set(apiKey, { keyId, organizationId, scopes, expiresAt: expiresAt?.getTime() ?? null, revoked: false });
      return { apiKey, keyId };
    },
    /** False when there is no such key. */
    revoke(keyId: string): boolean {
      const [apiKey, key] = keys.entries().find(([, held]) => held.keyId === keyId) ?? [];
      if (apiKey === undefined || key === undefined) return false;
      keys.set(apiKey, { ...key, revoked: true });
      return true;
    },
    /** Null when it is unknown, revoked or expired. */
    find(apiKey: string, now: number): StoredKey | null {
      const key = keys.get(apiKey);
      return key && !key.revoked && (key.expiresAt === null || now < key.expiresAt) ? key : null;
    },
  };
}
