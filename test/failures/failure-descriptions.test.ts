import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { nonRetryable } from '../../src/failures/non-retryable.ts';
import { failureDescriptions, isFailureType } from '../../src/failures/failure-descriptions.ts';
import { findingDescriptions } from '../../src/report/finding-descriptions.ts';

const document = readFileSync(path.join(__dirname, '../../docs/running.md'), 'utf8');

function rowsBelow(heading: string): string[] {
  const section = document.split(`\n### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

function toRows(descriptions: Record<string, { description: string; remedy: string }>): string[] {
  const inOrder = Object.entries(descriptions).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return inOrder.map(([type, { description, remedy }]) => `| \`${type}\` | ${description} | ${remedy} |`);
}

describe('failureDescriptions', () => {
  it('are the table of docs/running.md', () => {
    expect(rowsBelow('What a failure means')).toEqual(toRows(failureDescriptions));
  });

  it('name the search attribute in values that a filter can hold', () => {
    for (const type of Object.keys(failureDescriptions)) expect(type).toMatch(/^[A-Za-z_]{4,40}$/);
    expect(isFailureType('OrderRejected')).toBe(true);
    expect(isFailureType('toString')).toBe(false);
  });
});

describe('nonRetryable', () => {
  it('says what happened and what to do, and is not tried again', () => {
    const failure = nonRetryable('OrderNotCollected', 'order 1 is not in the ledger');
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({
      type: 'OrderNotCollected',
      nonRetryable: true,
      message: 'order 1 is not in the ledger. Way out: run `prospect-sync ingest ORDER` first',
    });
  });
});

describe('findingDescriptions', () => {
  it('are the table of docs/running.md', () => {
    expect(rowsBelow('What a finding means')).toEqual(toRows(findingDescriptions));
  });
});
