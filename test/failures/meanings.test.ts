import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { final } from '../../src/failures/final.ts';
import { failureMeanings, isFailureType } from '../../src/failures/meanings.ts';
import { findingMeanings } from '../../src/report/finding-descriptions.ts';

const document = readFileSync(path.join(__dirname, '../../docs/running.md'), 'utf8');

function rowsBelow(heading: string): string[] {
  const section = document.split(`\n### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

function toRows(meanings: Record<string, { meaning: string; wayOut: string }>): string[] {
  const inOrder = Object.entries(meanings).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return inOrder.map(([type, { meaning, wayOut }]) => `| \`${type}\` | ${meaning} | ${wayOut} |`);
}

describe('failureMeanings', () => {
  it('are the table of docs/running.md', () => {
    expect(rowsBelow('What a failure means')).toEqual(toRows(failureMeanings));
  });

  it('name the search attribute in values that a filter can hold', () => {
    for (const type of Object.keys(failureMeanings)) expect(type).toMatch(/^[A-Za-z_]{4,40}$/);
    expect(isFailureType('OrderRejected')).toBe(true);
    expect(isFailureType('toString')).toBe(false);
  });
});

describe('final', () => {
  it('says what happened and what to do, and is not tried again', () => {
    const failure = final('OrderNotCollected', 'order 1 is not in the ledger');
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({
      type: 'OrderNotCollected',
      nonRetryable: true,
      message: 'order 1 is not in the ledger. Way out: run `prospect-sync ingest ORDER` first',
    });
  });
});

describe('findingMeanings', () => {
  it('are the table of docs/running.md', () => {
    expect(rowsBelow('What a finding means')).toEqual(toRows(findingMeanings));
  });
});
