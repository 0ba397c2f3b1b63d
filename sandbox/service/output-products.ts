/**
 * Makes the files and digests of outputs in the background, in slices, so that other requests are answered in between.
 * Results are stored; missing files of restored outputs are written again.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Slot } from '../../src/service/contract/index.ts';
import { canonicalJson } from '../../src/base/json/canonical-json.ts';
import { writeCsv } from '../../src/base/spreadsheet/csv-writer.ts';
import { SpreadsheetError } from '../../src/base/spreadsheet/spreadsheet-error.ts';
import { writeXlsx } from '../../src/base/spreadsheet/xlsx-writer.ts';
import { productKey } from './output-state.ts';
import type { Column } from '../../src/base/spreadsheet/table.ts';
import { toOutputRow, toSummarySections } from './output-rows.ts';
import type { Publications } from '../results/publications.ts';
import type { PublishedSet } from '../results/published-set.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredOrder, StoredOutput } from '../state/stored-records.ts';
import { advanceByPoll, stageAt } from '../status-lifecycle.ts';

type OutputType = StoredOutput['type'];

export interface OutputProducts {
  /**
   * Resolves with the path of the file, or null if there is none. Concurrent calls share the work. Rejects if the file could
   * not be written, for example on a full disk; the next call tries again.
   */
  readonly make: (organization: Organization, order: StoredOrder, type: OutputType) => Promise<string | null>;
  /** Call it when the published set of an order changes: outputs of other types are made from the changed one. */
  readonly forgetDigest: (orderId: string) => void;
  /** Ends all work and removes all files. */
  readonly clear: () => void;
}

interface ProductDependencies extends Pick<Publications, 'publishedSet'> {
  readonly columnsOf: (order: StoredOrder) => readonly Column[];
  /** See `Store`. */
  readonly currentGeneration: () => number;
  readonly track: (work: Promise<unknown>) => void;
  /** Parent of the folder with the files. */
  readonly root?: string;
}

/** The work between two resets or restored snapshots. Ids are given again afterwards, so work ends with its generation. */
interface Generation {
  readonly number: number;
  readonly stop: AbortController;
  readonly jobs: Map<string, Promise<string | null>>;
  readonly digests: Map<string, Promise<string>>;
  folder: string | undefined;
}

/** About 2 ms of work, after which other requests are answered. */
const slotsPerSlice = 100;

export function createOutputProducts({
  publishedSet,
  columnsOf,
  currentGeneration,
  track,
  root = tmpdir(),
}: ProductDependencies): OutputProducts {
  let generation = startGeneration(currentGeneration());

  const startNext = () => {
    const ended = generation;
    ended.stop.abort(new Error('a reset or a restored snapshot ended the work'));
    removeFolder(ended);
    // A writer may create the folder again before it notices the abort.
    void Promise.allSettled(ended.jobs.values()).then(() => removeFolder(ended));
    generation = startGeneration(currentGeneration());
  };
  const requireCurrent = ({ stop, number }: Generation) => {
    stop.signal.throwIfAborted();
    if (currentGeneration() !== number) throw new Error('a reset or a restored snapshot ended the work');
  };
  const produce = async (organization: Organization, order: StoredOrder, type: OutputType) => {
    const current = generation;
    const { signal } = current.stop;
    // The caller is inside a transaction.
    await setImmediate();
    requireCurrent(current);
    const set = publishedSet(organization, order);
    if (!set) throw new Error('an output needs a published set');
    const digest = joinOrStart(current.digests, order.id, () => digestSlots(set, signal));
    const remember = (result_sha256: string | null) =>
      organization.products.set(productKey({ orderId: order.id, type }), { result_sha256 });
    // Waits for both, so that a new attempt cannot start while this one still writes.
    const work = [
      writeFile(current, { orderId: order.id, type, set, columns: columnsOf(order), root }),
      digest,
    ] as const;
    const [written, digested] = await Promise.allSettled(work);
    // A writer also fails when a new generation removed its folder.
    requireCurrent(current);
    if (written.status === 'rejected') {
      if (!exceedsSheet(written.reason)) throw written.reason;
      remember(null);
      return null;
    }
    if (digested.status === 'rejected') throw digested.reason;
    remember(digested.value);
    return written.value;
  };

  return {
    make(organization, order, type) {
      if (generation.number !== currentGeneration()) startNext();
      return joinOrStart(generation.jobs, productKey({ orderId: order.id, type }), () => {
        const job = produce(organization, order, type);
        track(job);
        return job;
      });
    },
    forgetDigest: (orderId) => void generation.digests.delete(orderId),
    clear: startNext,
  };
}

function startGeneration(number: number): Generation {
  return { number, stop: new AbortController(), jobs: new Map(), digests: new Map(), folder: undefined };
}

/** Returns the running or finished work of a key, or starts it. Failed work is removed, and the next call starts again. */
function joinOrStart<T>(known: Map<string, Promise<T>>, key: string, begin: () => Promise<T>): Promise<T> {
  const work = known.get(key) ?? begin();
  if (!known.has(key)) work.catch(() => known.delete(key));
  known.set(key, work);
  return work;
}

/** Whether there are more rows than a sheet can hold, which fails the output permanently. System errors have a code. */
function exceedsSheet(error: unknown): boolean {
  return error instanceof SpreadsheetError && error.code === null;
}

function removeFolder({ folder }: Generation): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** A41 */
async function digestSlots(set: PublishedSet, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const slots of slicesOf(set, signal))
    hash.update(slots.map((slot) => `${canonicalJson(slot)}\n`).join(''));
  return hash.digest('hex');
}

interface FileFacts {
  readonly orderId: string;
  readonly type: OutputType;
  readonly set: PublishedSet;
  readonly columns: readonly Column[];
  readonly root: string;
}

async function writeFile(
  generation: Generation,
  { orderId, type, set, columns, root }: FileFacts,
): Promise<string | null> {
  if (type === 'google_sheets') return null;
  const { signal } = generation.stop;
  generation.folder ??= mkdtempSync(join(root, 'prospect-sync-outputs-'));
  const path = join(generation.folder, `${orderId}.${type}`);
  const rows = rowsOf(set, signal);
  if (type === 'csv') await writeCsv({ path, columns, rows, signal });
  else {
    const sheet = { name: 'Results', columns, rows };
    await writeXlsx({ path, sheet, summary: () => toSummarySections(set.summary), signal });
  }
  return path;
}

async function* rowsOf(set: PublishedSet, signal: AbortSignal) {
  for await (const slots of slicesOf(set, signal)) yield slots.map(toOutputRow);
}

async function* slicesOf(set: PublishedSet, signal: AbortSignal): AsyncGenerator<Slot[]> {
  for (let place = 0; place < set.total; place += slotsPerSlice) {
    await setImmediate();
    signal.throwIfAborted();
    const length = Math.min(slotsPerSlice, set.total - place);
    yield Array.from({ length }, (_, next) => set.slotAt(place + next));
  }
}

/** Milliseconds of real time. Work that takes longer shows as RUNNING. */
const maxWaitMs = 1_000;

/** Waits for the files of an output that is due, so that small outputs are COMPLETED exactly on time. */
export async function waitForOutput(
  organization: Organization,
  output: StoredOutput,
  { now, products }: { readonly now: number; readonly products: OutputProducts },
): Promise<void> {
  const isDue = stageAt(advanceByPoll(output.life, now), now).status === 'COMPLETED';
  const order = organization.orders.get(output.orderId);
  if (!isDue || !order || organization.products.get(productKey(output))) return;
  const waited = new AbortController();
  const timeout = setTimeout(maxWaitMs, undefined, { signal: waited.signal, ref: false });
  try {
    await Promise.race([products.make(organization, order, output.type), timeout]);
  } finally {
    waited.abort();
    await timeout.catch(() => undefined);
  }
}
