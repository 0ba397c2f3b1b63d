/** API keys: opaque words, derived from the seed, that stand for an organisation and its scopes. */
import { digestOf } from '../deterministic.ts';
import type { Store } from './store/store.ts';
import type { StoredKey } from './store/records.ts';

interface KeyFacts {
  readonly organizationId: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: Date | undefined;
}

export function createApiKeys(seed: number, { keys, count }: Pick<Store, 'keys' | 'count'>) {
  return {
    issue({ organizationId, scopes, expiresAt }: KeyFacts): string {
      const id = `sk_sandbox_${digestOf(seed, organizationId, 'key', count(`key/${organizationId}`)).slice(0, 40)}`;
      keys.set(id, { id, organizationId, scopes, expiresAt: expiresAt?.getTime() ?? null, revoked: false });
      return id;
    },
    /** False when there is no such key. */
    revoke(id: string): boolean {
      const key = keys.get(id);
      if (key) keys.set(id, { ...key, revoked: true });
      return key !== undefined;
    },
    /** The key in `Authorization: Bearer <API_KEY>`; null when it is missing, unknown, revoked or expired. */
    find(request: Request, now: number): StoredKey | null {
      const word = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
      const key = keys.get(word);
      return key && !key.revoked && (key.expiresAt === null || now < key.expiresAt) ? key : null;
    },
  };
}
