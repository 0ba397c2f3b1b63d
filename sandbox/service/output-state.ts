/** Status of an output attempt: it follows the clock, but is not COMPLETED before its file exists (A21). */
import type { OutputInput } from '../../src/service/contract/index.ts';
import { startJobLifecycle, stageAt, type Lifecycle, type Progression } from '../status-lifecycle.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredOutput, StoredProduct } from '../state/stored-records.ts';

interface OutputStart {
  readonly start: number;
  readonly progression: Progression;
  /** Number of earlier attempts at the same destination. */
  readonly earlier: number;
}

export function outputLife(
  { output_type, output_language = '', spreadsheet_id = '' }: OutputInput,
  start: OutputStart,
): Lifecycle {
  const words = `${output_language} ${output_type === 'google_sheets' ? spreadsheet_id : ''}`;
  return startJobLifecycle(words, { ...start, end: 'COMPLETED' });
}

/** Outputs of one order and type have the same content, so they share one file. */
export function productKey({ orderId, type }: Pick<StoredOutput, 'orderId' | 'type'>): string {
  return `${orderId} ${type}`;
}

interface OutputState {
  readonly status: string;
  /** Null until COMPLETED. */
  readonly sha256: string | null;
}

export function outputState(organization: Organization, output: StoredOutput, now: number): OutputState {
  const { status } = stageAt(output.life, now);
  if (status !== 'COMPLETED') return { status, sha256: null };
  const product: StoredProduct | undefined = organization.products.get(productKey(output));
  if (!product) return { status: 'RUNNING', sha256: null };
  const { result_sha256: sha256 } = product;
  return { status: sha256 === null ? 'FAILED' : 'COMPLETED', sha256 };
}
