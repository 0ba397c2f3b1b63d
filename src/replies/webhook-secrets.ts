/** The signing secrets of an endpoint. Secrets of files are read again when the file changes, so that a rotation needs no restart. */
import { createHash, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SecretReference } from '../config/reply-settings.ts';
import { ExplainedError } from '../base/text/explained-error.ts';
import { parseSecret, WebhookSecretError } from './webhook-signature.ts';
import { describeSystemError, systemCodeOf } from '../base/failures/system-code.ts';

export interface LoadedSecret {
  readonly key: KeyObject;
  /** Twelve hex digits of the secret's digest: it identifies the secret, and does not reveal it. */
  readonly fingerprint: string;
}

/** Files are read at most this often. */
const readEveryMs = 1_000;

/**
 * Returns the current secrets, the newest first.
 * @throws {ExplainedError} naming the file that cannot be read or holds no secret; the next call tries again
 */
export function createSecretReader(
  references: readonly SecretReference[],
  now: () => number = Date.now,
): () => Promise<readonly LoadedSecret[]> {
  let loaded: readonly LoadedSecret[] | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  const hasFiles = references.some((reference) => 'file' in reference);
  return async () => {
    if (loaded !== null && (!hasFiles || now() - readAt < readEveryMs)) return loaded;
    loaded = await Promise.all(references.map(loadSecret));
    readAt = now();
    return loaded;
  };
}

/** For a check: either the secret, or why it cannot be used. */
export async function tryToLoadSecret(
  reference: SecretReference,
): Promise<
  { readonly secret: LoadedSecret; readonly problem: null } | { readonly secret: null; readonly problem: string }
> {
  try {
    return { secret: await loadSecret(reference), problem: null };
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    return { secret: null, problem: error.message };
  }
}

async function loadSecret(reference: SecretReference): Promise<LoadedSecret> {
  if ('value' in reference) return toLoaded(parseSecret(reference.value.reveal()));
  const { file } = reference;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const problem = `The signing secret cannot be read: ${file}, ${describeSystemError(error)}`;
    throw new ExplainedError(`${problem}. ${systemCodeOf(error) === 'ENOENT' ? 'Create the file' : 'Correct it'}`);
  });
  try {
    return toLoaded(parseSecret(text.replace(/\r?\n$/, '')));
  } catch (error) {
    if (!(error instanceof WebhookSecretError)) throw error;
    throw new ExplainedError(`${error.message}: ${file}. Write the secret as the service shows it, whsec_…`);
  }
}

function toLoaded(key: KeyObject): LoadedSecret {
  return { key, fingerprint: createHash('sha256').update(key.export()).digest('hex').slice(0, 12) };
}
