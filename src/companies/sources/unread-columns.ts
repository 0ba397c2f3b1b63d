/**
 * Judges the columns of a list of suppressions or exclusions that are not read: who is not to be suppressed or excluded, and an address
 * that would not be suppressed. What they hold is not quoted, except words of known lists.
 */
import { cleanText } from '../../base/text/clean-text.ts';
import { toIdentifier } from '../../ledger/redaction/identifiers.ts';
import { noWords, optOutHeader, yesWords } from './do-not-contact.ts';
import { isRefusal, toRefusalKey } from './refusal-words.ts';

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
const optIn =
  /^(?:subscri|opt(?:ed)?_?in|active$|aktiv$|consent|newsletter|angemeldet|abonn|marketing_(?:contact|status))/;

/** When a suppression has ended: whoever has such a time is not suppressed. */
const ending =
  /^(?:removed|ended|re_?subscribed|revoked|lifted|aufgehoben|entfernt|wieder_?an(?:meldung|gemeldet)|aufhebung)(?:_?(?:at|on|date|am|datum))?$/;

const deniedWords = [...noWords, 'active', 'aktiv'];
/** Not to be suppressed, whatever the other rows of the column say. */
const subscribedWords = [
  'subscribed',
  'resubscribed',
  're-subscribed',
  'opted in',
  'opted-in',
  'opted_in',
  'opt-in',
  'opt_in',
  'opt in',
  'abonniert',
  'wieder angemeldet',
  'wieder abonniert',
  'angemeldet',
  'eingewilligt',
];
/** Whoever has not said it. Elsewhere the same words are about something else: `Not specified` of an industry. */
const undecidedWords = [
  'not specified',
  'not_specified',
  'unspecified',
  'not opted out',
  'not unsubscribed',
  'pending',
  'unconfirmed',
  'non-subscribed',
  'marketing contact',
  'nicht angegeben',
  'keine angabe',
  'nicht abgemeldet',
];
/** Not marketed to by the list, which is less than having opted out. */
const leftOutWords = ['x', 'not subscribed', 'nicht abonniert', 'cleaned', 'non-marketing contact'];

interface Column {
  readonly header: string;
  isFilled: boolean;
  /** Whether it holds nothing but answers. */
  isAnswer: boolean;
  firstYes: Said | null;
  firstEmpty: number | null;
  firstNo: Said | null;
  firstUndecided: Said | null;
  firstAddress: number | null;
  firstSubscribed: Said | null;
}

type Said = Pick<ColumnProblem, 'row' | 'word'>;

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
        firstYes: null,
        firstNo: null,
        firstUndecided: null,
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
      const isUndecided = undecidedWords.includes(word);
      if (isUndecided) column.firstUndecided ??= { row, word };
      const isYes = yes.includes(word) || isRefusal(toRefusalKey(word)) || leftOutWords.includes(word);
      if (isYes) column.firstYes ??= { row, word };
      if (!isNo && !isSubscribed && !isYes && !isUndecided) column.isAnswer = false;
      if (word.includes('@') && toIdentifier(value)?.kind === 'email') column.firstAddress ??= row;
    },

    /** The first problem; null if there is none. */
    problem(): ColumnProblem | null {
      for (const [index, column] of columns) {
        const { header, firstAddress, firstEmpty } = column;
        const isAsked = column.firstYes !== null || optIn.test(header) || optOutHeader.test(header);
        const answered = column.firstNo ?? (isAsked ? column.firstUndecided : null);
        const said = column.firstSubscribed ?? (column.isAnswer ? answered : null);
        if (said !== null) return { kind: 'subscribed', index, ...said };
        if (firstAddress !== null && header !== '' && !otherPeople.test(header))
          return { kind: 'address', index, row: firstAddress, word: '' };
        if (firstEmpty !== null && column.isFilled && (optOutHeader.test(header) || undeliverable.test(header)))
          return { kind: 'gap', index, row: firstEmpty, word: '' };
      }
      return null;
    },

    /** The first column of answers that says yes in one row, and something else or nothing in another. */
    mixed(): (ColumnProblem & { readonly yes: string }) | null {
      for (const [index, { isAnswer, firstYes, firstNo, firstUndecided, firstSubscribed, firstEmpty }] of columns) {
        if (!isAnswer || firstYes === null) continue;
        const yes = firstYes.word;
        const said = firstNo ?? firstUndecided ?? firstSubscribed;
        if (said !== null) return { kind: 'subscribed', index, ...said, yes };
        if (firstEmpty !== null) return { kind: 'gap', index, row: firstEmpty, word: '', yes };
      }
      return null;
    },
  };
}
