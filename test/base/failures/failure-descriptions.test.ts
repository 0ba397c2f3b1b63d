import { ApplicationFailure } from '@temporalio/common';
import { nonRetryable } from '../../../src/base/failures/application-failure.ts';
import { withoutDoctor, withoutRetries } from '../../../src/base/failures/remedies-in-commands.ts';
import { failureDescriptions, isFailureType } from '../../../src/base/failures/failure-descriptions.ts';

describe('failureDescriptions', () => {
  it('have names that fit the search attribute and a filter', () => {
    for (const type of Object.keys(failureDescriptions)) expect(type).toMatch(/^[A-Za-z_]{4,40}$/);
    expect(isFailureType('OrderRejected')).toBe(true);
    expect(isFailureType('toString')).toBe(false);
  });

  it.each(Object.entries(failureDescriptions))('describe %s and its remedy in full sentences', (_, description) => {
    for (const text of Object.values(description)) expect(text).toMatch(/^[A-Z][^]*\.$/);
  });
});

/** Sentences of a text; a dot within a name or a path does not end one. */
const sentencesOf = (text: string) => text.split(/(?<=\.)\s+/);

describe('remedies', () => {
  it.each(Object.entries(failureDescriptions))('of %s do not ask for an action that is not needed', (_, { remedy }) => {
    const sentences = sentencesOf(remedy);
    const idle = sentences.findIndex((sentence) => sentence.startsWith('No action needed'));
    // Before it, no instruction; after it, only what to do if the retries do not help.
    expect(idle).toBeLessThanOrEqual(0);
    const further = idle === 0 ? sentences.slice(1) : [];
    expect(further.filter((sentence) => !sentence.startsWith('If it '))).toEqual([]);
  });

  it.each(Object.entries(failureDescriptions))(
    'of %s promise no retry in a command, and doctor does not name doctor',
    (_, { remedy }) => {
      const text = `It failed. ${remedy}`;
      expect(withoutRetries(text)).not.toMatch(/\bretried (?:automatically|after)|No action needed; retried/i);
      expect(withoutDoctor(text)).not.toContain('doctor');
      for (const shown of [withoutRetries(text), withoutDoctor(text)])
        expect(shown).toMatch(/^It failed\.(?: [A-Z].*\.)?$/s);
    },
  );
});

describe('nonRetryable', () => {
  it('contains what happened and what to do, and is not retried', () => {
    const failure = nonRetryable('OrderNotCollected', 'order 1 is not in the ledger');
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({
      type: 'OrderNotCollected',
      nonRetryable: true,
      message: 'order 1 is not in the ledger. Run `prospect-sync ingest ORDER` first.',
    });
  });
});
