/**
 * Converts responses to the shape of the contract where the specification leaves it open: wrappers, the name of the array
 * of slots, the place of the order id. Each conversion is reported as a fact, never as a finding.
 */
import { operations } from '../../src/service/contract/index.ts';
import type { Operation } from '../../src/service/contract/operation.ts';

import { findOrderIds, findField, recordsIn, findRecordWith } from '../../src/service/reading/find-record.ts';
import { isProblem, readResultsPage } from '../../src/service/reading/read-answers.ts';
import type { Answer } from './caller.ts';
import { isRecord } from '../../src/base/json/own-property.ts';

export interface ContractShape {
  readonly body: unknown;
  /** The conversions; empty if the response has the shape of the contract. */
  readonly facts: readonly string[];
}

/** `resultsItems`: name of the array of slots from the command line. */
export function toContractShape(operation: Operation, answer: Answer, resultsItems: string | null): ContractShape {
  const { body, status } = answer;
  if (status >= 300) return { body, facts: [] };
  if (operation === operations.createOrder) return toOrderCreation(answer);
  if (operation === operations.getOrder) return unwrapped(body, ['order_id', 'status']);
  if (operation === operations.createProfile || operation === operations.getProfileCreation) {
    return unwrapped(body, ['profile_creation_id', 'status']);
  }
  if (operation === operations.listResults) return toResultsPage(body, resultsItems);
  if (operation === operations.listOutputs) return toOutputsPage(body);
  if (
    operation === operations.createOutput ||
    operation === operations.createExport ||
    operation === operations.getOutput
  ) {
    return unwrapped(body, ['output_id', 'status']);
  }
  return { body, facts: [] };
}

function unwrapped(body: unknown, fields: readonly string[]): ContractShape {
  const found = findRecordWith(body, fields);
  if (found === null || found.path === '') return { body, facts: [] };
  return { body: found.record, facts: [`the body is wrapped in ${found.path}`] };
}

function toOrderCreation({ body, headers }: Answer): ContractShape {
  const [found] = findOrderIds({ answer: body, location: headers.get('location'), setting: null, sent: [] });
  if (found === undefined) return { body, facts: [] };
  const shaped = findRecordWith(body, ['order_id', 'status'])?.record ?? (isRecord(body) ? body : {});
  const facts = found.at === 'order_id' ? [] : [`the order id is in ${found.at}`];
  return { body: { ...shaped, order_id: found.orderId }, facts };
}

function toResultsPage(body: unknown, resultsItems: string | null): ContractShape {
  const page = readResultsPage(body, resultsItems);
  if (isProblem(page)) return { body, facts: [] };
  const head = ['summary', 'total', 'has_more'].flatMap((field): [string, unknown][] => {
    const value = findField(body, field);
    return value === undefined ? [] : [[field, value]];
  });
  const facts = page.itemsAt === 'items' ? [] : [`the slots are in ${page.itemsAt}`];
  return { body: { ...Object.fromEntries(head), items: page.slots }, facts };
}

function toOutputsPage(body: unknown): ContractShape {
  const lists = recordsIn(body).flatMap(({ record }) => Object.entries(record));
  const isOutputs = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.every((item) => isRecord(item) && 'output_id' in item);
  const found =
    lists.find(([, value]) => isOutputs(value) && value.length > 0) ?? lists.find(([, value]) => isOutputs(value));
  if (found === undefined || found[0] === 'outputs') return { body, facts: [] };
  const head = ['total', 'has_more'].map((field) => [field, findField(body, field)]);
  return { body: { ...Object.fromEntries(head), outputs: found[1] }, facts: [`the outputs are in ${found[0]}`] };
}
