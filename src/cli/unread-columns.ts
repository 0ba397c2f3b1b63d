/**
 * Judges the columns of a list of suppressions that are not read: a person who is not to be suppressed, and an address that would not be.
 * What they hold is not quoted, except words of known lists.
 */
import { cleanText } from '../base/text/clean-text.ts';
import { noWords, optOutHeader, yesWords } from '../companies/sources/do-not-contact.ts';
import { isRefusal, toRefusalKey } from '../companies/sources/refusal-words.ts';
import { findSubject } from './subject.ts';

export interface ColumnProblem {
  /** `address`: the row has another address there. `subscribed`: it says so. `gap`: it is empty, and other rows say that they opted out. */
  readonly kind: 'address' | 'subscribed' | 'gap';
  /** Index of the column. */
  readonly index: number;
  readonly row: number;
  /** The word that says `subscribed`; '' for the others. */
  readonly word: string;
}

/** Columns that name who made the entry, for example in an export of suppressions. */
const otherPeople = /(?:^|_)(?:by|owner|from|user|agent|von|besitzer)$/;
const undeliverable = /^(?:bounce|complain)/;
const optIn = /^(?:subscri|opt(?:ed)?_?in|active$|aktiv$|consent|newsletter|angemeldet|abonn)/;

/** When a suppression has ended: whoever has such a time is not suppressed. */
const ending = /^(?:removed|ended|revoked|lifted|aufgehoben|entfernt)(?:_?(?:at|on|date|am))?$/;

const deniedWords = [...noWords, 'active', 'aktiv'];
/** Not to be suppressed, whatever the other rows of the column say. */
const subscribedWords = [
  'subscribed',
  'opted in',
  'opted-in',
  'opted_in',
  'opt-in',
  'opt_in',
  'abonniert',
  'angemeldet',
];

interface Column {
  readonly header: string;
  isFilled: boolean;
  /** Whether it holds nothing but answers. */
  isAnswer: boolean;
  firstEmpty: number | null;
  firstNo: Pick<ColumnProblem, 'row' | 'word'> | null;
  firstAddress: number | null;
  firstSubscribed: Pick<ColumnProblem, 'row' | 'word'> | null;
}

export function createUnreadColumns() {
  const columns = new Map<number, Column>();

  return {
    /** `header`: as a key, '' in a file without headers. */
    add({ index, header }: { readonly index: number; readonly header: string }, row: number, value: string): void {
      const column = columns.get(index) ?? {
        header,
        isFilled: false,
        isAnswer: true,
        firstEmpty: null,
        firstNo: null,
        firstAddress: null,
        firstSubscribed: null,
      };
      columns.set(index, column);
      const word = cleanText(value).toLowerCase();
      if (word === '') {
        column.firstEmpty ??= row;
        return;
      }
      column.isFilled = true;
      // A column that asks for consent says it the other way round.
      const [no, yes] = optIn.test(header) ? [yesWords, deniedWords] : [deniedWords, yesWords];
      const isNo = no.includes(word);
      const isSubscribed = subscribedWords.includes(word) || ending.test(header);
      if (isNo) column.firstNo ??= { row, word };
      if (isSubscribed) column.firstSubscribed ??= { row, word };
      const isYes = yes.includes(word) || isRefusal(toRefusalKey(word));
      if (!isNo && !isSubscribed && !isYes) column.isAnswer = false;
      if (word.includes('@') && findSubject(value)?.kind === 'email') column.firstAddress ??= row;
    },

    /** The first problem; null if there is none. */
    problem(): ColumnProblem | null {
      for (const [index, column] of columns) {
        const { header, firstAddress, firstEmpty } = column;
        const said = column.firstSubscribed ?? (column.isAnswer ? column.firstNo : null);
        if (said !== null) return { kind: 'subscribed', index, ...said };
        if (firstAddress !== null && header !== '' && !otherPeople.test(header))
          return { kind: 'address', index, row: firstAddress, word: '' };
        if (firstEmpty !== null && column.isFilled && (optOutHeader.test(header) || undeliverable.test(header)))
          return { kind: 'gap', index, row: firstEmpty, word: '' };
      }
      return null;
    },
  };
}
