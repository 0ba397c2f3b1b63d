import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';

/** A payload that cannot be decrypted, or is not encrypted though it has to be. The message names the key by its id, never the key and never the content. */
export class CodecError extends ExplainedError {
  override readonly name = 'CodecError';
  readonly problem: 'unknown-key' | 'not-authentic' | 'malformed' | 'not-encrypted';
  readonly keyId: string | null;

  constructor(problem: CodecError['problem'], keyId: string | null, message: string) {
    super(toPrintable(message));
    this.problem = problem;
    this.keyId = keyId;
  }
}
