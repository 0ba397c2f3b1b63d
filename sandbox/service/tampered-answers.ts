/** The changes of published results that tests ask for, and the answers with these changes. */
import { operations } from '../../src/service/contract/index.ts';
import { changeFields, isHolder, tamperSet, type Tampering } from '../results/result-tampering.ts';
import type { KeptValue } from '../state/data-folder.ts';
import type { PublishedSet } from '../results/published-set.ts';
import type { Answer } from '../state/stored-records.ts';
import type { Operation } from './operation-route.ts';

export interface TamperingSettings {
  /** By order; in the order in which they are applied. */
  readonly of: (orderId: string) => readonly Tampering[];
  readonly set: (orderId: string, changes: readonly Tampering[]) => void;
  readonly clear: () => void;
  /** Throws a Refusal (422) when a change does not fit the set. */
  readonly toTampered: (orderId: string, set: PublishedSet) => PublishedSet;
}

export function createTamperingSettings(
  kept?: KeptValue<readonly [string, readonly Tampering[]][]>,
): TamperingSettings {
  const settings = new Map(kept?.load());
  const keep = () => kept?.save([...settings]);
  const of = (orderId: string) => settings.get(orderId.toLowerCase()) ?? [];
  return {
    of,
    set(orderId, changes) {
      if (changes.length === 0) settings.delete(orderId.toLowerCase());
      else settings.set(orderId.toLowerCase(), changes);
      keep();
    },
    clear() {
      settings.clear();
      keep();
    },
    toTampered: (orderId, set) => of(orderId).reduce(tamperSet, set),
  };
}

/** Pages of results with other names and types, and orders with other fields. Refusals stay unchanged. */
export function tamperAnswer(operation: Operation, answer: Answer, changes: readonly Tampering[]): Answer {
  if (answer.status >= 300 || changes.length === 0 || !isHolder(answer.body)) return answer;
  const body = structuredClone(answer.body);
  if (operation === operations.listResults) for (const change of changes) tamperSlots(body['items'], change);
  else if (operation === operations.getOrder) for (const change of changes) tamperOrder(body, change);
  return { ...answer, body };
}

function tamperSlots(slots: unknown, change: Tampering): void {
  if (change.kind === 'rename_field') {
    changeFields(slots, change.path, (holder, key) => {
      if (!Object.hasOwn(holder, key)) return;
      holder[change.name] = holder[key];
      delete holder[key];
    });
  } else if (change.kind === 'retype_field') {
    changeFields(slots, change.path, (holder, key) => {
      if (Object.hasOwn(holder, key)) holder[key] = converters[change.type](holder[key]);
    });
  }
}

function tamperOrder(order: Record<string, unknown>, change: Tampering): void {
  const summary = order['result_summary'];
  if (change.kind === 'set_count' && isHolder(summary)) summary[change.field] = change.value;
  if (change.kind !== 'set_order_field') return;
  if (change.value === undefined) delete order[change.field];
  else order[change.field] = change.value;
}

const converters: Record<Extract<Tampering, { kind: 'retype_field' }>['type'], (value: unknown) => unknown> = {
  string: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  number: (value) => (Number.isFinite(Number(value)) ? Number(value) : 0),
  boolean: Boolean,
  null: () => null,
  array: (value) => [value],
  object: (value) => ({ value }),
};
