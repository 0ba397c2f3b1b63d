/** Obtains one output of an order: adopts an attempt that the service lists, or has it made once. */
import type { ServiceOutput } from '../src/config/service-output-settings.ts';
import type { ListedOutput, OutputReceipt } from '../src/service/contract/index.ts';
import type { OutputRow } from '../src/ledger/order-files.ts';
import { idempotencyKey } from '../src/service/client/idempotency-key.ts';
import { ProspectingError } from '../src/service/client/prospecting-error.ts';
import { boundWord } from '../src/base/text/bound-text.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { applyNewReceipt, toDestination, toOutputInput } from './service-output-row.ts';

interface OutputRequest {
  readonly orderId: string;
  readonly output: ServiceOutput;
  /** The row that the request starts from. */
  readonly row: OutputRow;
  readonly signal: AbortSignal;
  /** ISO 8601 */
  readonly at: string;
}

/**
 * The row with the receipt of the service. An output that this installation requested before is requested again under the same key,
 * which returns the same output ("Export and output rules", clause 4). @throws ProspectingError
 */
export async function obtainOutput(
  { prospecting, ledger }: Pick<ActivityDependencies, 'prospecting' | 'ledger'>,
  request: OutputRequest,
): Promise<OutputRow> {
  const { orderId, output, row, signal } = request;
  const isRequested = row.at !== '' && row.origin === 'own' && row.state !== 'refused';
  // A repeated export might make a second one, because the specification names no key for it (A53).
  if (!isRequested || output.endpoint === 'export') {
    const listed = await listIfPossible(prospecting, orderId, signal);
    const existing = findExisting(listed, output, row);
    if (existing !== undefined) {
      return applyNewReceipt(row, output, { receipt: existing, origin: isRequested ? 'own' : 'adopted' });
    }
  }
  // Stored before the request, so that an output whose answer is lost is not taken for that of another program.
  if (row.at === '') await ledger.outputs.save({ ...row, at: request.at });
  return applyNewReceipt(row, output, await createOutput(prospecting, request));
}

type OutputsOfService = Pick<ActivityDependencies['prospecting'], 'outputs'>;

/** [] if the service has no readable list: the key still prevents a second output. @throws ProspectingError that a retry may change */
async function listIfPossible({ outputs }: OutputsOfService, orderId: string, signal: AbortSignal) {
  try {
    return await outputs.list(orderId, { signal });
  } catch (error) {
    if (!(error instanceof ProspectingError)) throw error;
    const { kind, status } = error.facts;
    const isMissing = status === 403 || status === 404 || status === 405 || status === 501;
    if (kind === 'contract' || isMissing) return [];
    throw error;
  }
}

/** The known output, else the latest one of the same destination that has not failed. An item without language or spreadsheet matches none. */
function findExisting(
  listed: readonly ListedOutput[],
  output: ServiceOutput,
  { outputId }: OutputRow,
): ListedOutput | undefined {
  const usable = listed.filter(({ status }) => status !== 'FAILED');
  const destination = toDestination(output);
  return (
    usable.find(({ output_id }) => output_id === outputId) ??
    usable.findLast((item) => toListedDestination(item) === destination)
  );
}

function toListedDestination({ output_type, output_language, spreadsheet_id }: ListedOutput): string | null {
  if (output_type == null || output_language == null) return null;
  return [output_type, output_language.toLowerCase(), ...(spreadsheet_id == null ? [] : [spreadsheet_id])].join(' ');
}

async function createOutput(
  { outputs }: OutputsOfService,
  { orderId, output, row, signal }: OutputRequest,
): Promise<{ receipt: OutputReceipt; origin: OutputRow['origin'] }> {
  const { type, language, spreadsheetId } = output;
  const input = toOutputInput(output);
  if (output.endpoint === 'export') {
    // The client repeats a request with a key when the connection breaks, and the specification names no key for an export (A53).
    // Only a new attempt after a FAILED one needs a key (A40).
    const key = row.attempt === 0 ? null : idempotencyKey('export', orderId, type, language, row.attempt);
    const receipt = await outputs.createExport(orderId, input, key, { signal });
    return { receipt, origin: receipt.created === false && row.at === '' ? 'adopted' : 'own' };
  }
  try {
    const key = idempotencyKey('output', orderId, type, language, spreadsheetId ?? '', row.attempt);
    return { receipt: await outputs.create(orderId, input, key, { signal }), origin: 'own' };
  } catch (error) {
    // Another client has requested the destination: without a key the service returns that output ("Errors").
    const isTaken = error instanceof ProspectingError && error.facts.code === 'OUTPUT_IDEMPOTENCY_CONFLICT';
    if (!isTaken) throw error;
    return { receipt: await outputs.create(orderId, input, null, { signal }), origin: 'adopted' };
  }
}

/** Two outputs of each of the twenty, which fits into a report. */
const mostDescribed = 40;

/** Ids, types and dates of the outputs that use up the limit of the order; null for another error, or if the service does not list them. */
export async function describeQuota(
  { outputs }: OutputsOfService,
  orderId: string,
  { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
): Promise<string | null> {
  if (!(error instanceof ProspectingError) || error.facts.code !== 'OUTPUT_QUOTA_EXCEEDED') return null;
  // The refusal is reported also without the list.
  const listed = await outputs.list(orderId, { signal }).catch(() => []);
  const shown = listed.slice(0, mostDescribed).map(({ output_id, output_type, output_language, created_at }) =>
    [output_id, output_type ?? 'unknown type', output_language ?? '', created_at?.slice(0, 10) ?? 'unknown date']
      .filter((word) => word !== '')
      .map(boundWord)
      .join(' '),
  );
  const more = listed.length > shown.length ? `, and ${listed.length - shown.length} more` : '';
  return shown.length === 0 ? null : `${shown.join(', ')}${more}`;
}
