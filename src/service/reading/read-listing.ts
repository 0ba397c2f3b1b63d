/** Reads a page of the legacy listing of a profile, whose answer the specification does not show (A24). */
import { isRecord } from '../../base/json/own-property.ts';
import { findField } from './find-record.ts';
import { describeKeys, type AnswerProblem } from './read-answers.ts';
import { readCount, readValue } from './read-value.ts';

export interface ListingPage {
  /** As received. */
  readonly companies: readonly Readonly<Record<string, unknown>>[];
  /** null: the answer does not say it. */
  readonly total: number | null;
  readonly hasMore: boolean | null;
}

export function readListingPage(answer: unknown): ListingPage | AnswerProblem {
  const companies: unknown = findField(answer, 'companies');
  if (!Array.isArray(companies) || !companies.every(isRecord))
    return {
      problem: `companies: expected a list of objects, found none (${describeKeys(answer)}). Report this to the support of the service`,
    };
  return {
    companies,
    total: readCount(findField(answer, 'total')) ?? null,
    hasMore: readValue('boolean', findField(answer, 'has_more')) ?? null,
  };
}
