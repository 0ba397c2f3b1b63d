/** API keys: opaque words, derived from the seed, that stand for an organisation and its scopes. */
import type { Scope } from '../../contract/index.ts';
import { digestOf } from '../deterministic.ts';
import type { ApiKey } from './store.ts';

interface KeyFacts {
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | undefined;
}

export function createApiKeys(seed: number) {
  const keys = new Map<string, ApiKey>();

  return {
    issue({ organizationId, scopes, expiresAt }: KeyFacts): string {
      const held = keys.values().filter((key) => key.organizationId === organizationId);
      const word = `sk_sandbox_${digestOf(seed, organizationId, 'key', held.toArray().length).slice(0, 40)}`;
      keys.set(word, { organizationId, scopes: [...scopes], expiresAt: expiresAt ?? null });
      return word;
    },
    /** The key in `Authorization: Bearer <API_KEY>`; null when it is missing, unknown or expired. */
    find(request: Request, now: number): ApiKey | null {
      const word = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
      const key = keys.get(word);
      return key && (key.expiresAt === null || now < key.expiresAt.getTime()) ? key : null;
    },
  };
}
