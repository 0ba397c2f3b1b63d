// The Temporal namespace: checks that it exists, sets its retention, and adds the search attributes of prospect-sync.
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { SearchAttributeDefinition } from './dev-server/server-process.ts';
import { TemporalUnavailableError, causeOf } from './temporal-unavailable-error.ts';
import { dayMs } from '../base/day-milliseconds.ts';

// grpc.status, of a package that is not a direct dependency.
const grpc = { invalidArgument: 3, notFound: 5 } as const;
const visibleWithinSeconds = 30;

export async function expectNamespace(connection: Connection, namespace: string, address: string): Promise<void> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    const text = hasCode(error, grpc.notFound)
      ? `Temporal at ${address} has no namespace ${namespace}. Create it, or set TEMPORAL_NAMESPACE`
      : `The namespace ${namespace} of Temporal at ${address} cannot be used: ${causeOf(error)}`;
    throw new TemporalUnavailableError('namespace', text, { cause: error });
  }
}

export async function setRetention(connection: Connection, namespace: string, days: number): Promise<void> {
  const workflowExecutionRetentionTtl = msToTs(days * dayMs);
  await connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } });
}

/** Adds missing search attributes. Throws TemporalUnavailableError with the commands to run when that is not permitted. */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
  wanted: readonly SearchAttributeDefinition[],
): Promise<void> {
  if (await areQueryable(connection, namespace, wanted)) return;
  await addMissing(connection, namespace, wanted);
  const deadline = performance.now() + visibleWithinSeconds * 1000;
  while (!(await areQueryable(connection, namespace, wanted))) {
    if (performance.now() > deadline) throw missingSearchAttributes(namespace, wanted, 'added, but not visible yet');
    await sleep(100);
  }
}

async function addMissing(
  connection: Connection,
  namespace: string,
  wanted: readonly SearchAttributeDefinition[],
): Promise<void> {
  try {
    const missing = await listMissing(connection, namespace, wanted);
    if (missing.length === 0) return; // another process has just added them, and Temporal rejects an empty request
    const entries = missing.map(({ name, type }) => [name, encodeSearchAttributeIndexedValueType(type)]);
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(entries) });
  } catch (error) {
    // Older servers reject attributes that another process has added in the meantime.
    const remaining = await listMissing(connection, namespace, wanted).catch(() => wanted);
    if (remaining.length > 0) throw missingSearchAttributes(namespace, wanted, causeOf(error), { cause: error });
  }
}

async function listMissing(
  connection: Connection,
  namespace: string,
  wanted: readonly SearchAttributeDefinition[],
): Promise<readonly SearchAttributeDefinition[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return wanted.filter(({ name }) => !Object.hasOwn(customAttributes, name));
}

/** Checks by a query: every client may query, and the list of attributes contains an attribute before it can be used. */
async function areQueryable(
  connection: Connection,
  namespace: string,
  wanted: readonly SearchAttributeDefinition[],
): Promise<boolean> {
  if (wanted.length === 0) return true;
  const query = wanted.map(({ name }) => `\`${name}\` IS NULL`).join(' AND ');
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    if (hasCode(error, grpc.invalidArgument)) return false;
    throw error;
  }
}

function missingSearchAttributes(
  namespace: string,
  wanted: readonly SearchAttributeDefinition[],
  why: string,
  options?: ErrorOptions,
): TemporalUnavailableError {
  const commands = wanted.map(({ name, type }) => {
    const typeName = TypedSearchAttributes.toMetadataType(type);
    return `  temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${typeName}`;
  });
  const text = [
    `Temporal's namespace ${namespace} lacks search attributes, and they could not be added (${why}). Create the missing ones:`,
    ...commands,
    '  (in Temporal Cloud: tcld namespace search-attributes add, or its web page)',
  ].join('\n');
  return new TemporalUnavailableError('search-attributes', text, options);
}

function hasCode(error: unknown, code: number): boolean {
  if (!isGrpcServiceError(error)) return false;
  const given: number = error.code;
  return given === code;
}
