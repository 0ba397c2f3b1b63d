/** Words by which a row says: do not contact, or the company is closed. */
import { toCellText } from '../../base/spreadsheet/table.ts';
import { boundWords } from '../../base/text/bound-text.ts';
import { cleanText } from '../../base/text/clean-text.ts';
import { toHeaderKey } from '../../base/text/header-key.ts';
import { toNamedRows } from '../../base/text/named-rows.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';
import type { SourceReport } from '../../ledger/draft-source.ts';
import type { FilePage } from './company-source.ts';
import { isRecordMark } from './record-marks.ts';
import type { NotedNumbers } from './ordered-notes.ts';

/** Headers, as keys, of columns that say it, in any list. */
export const optOutHeader = /^(?:unsub|opt(?:ed)?_?out|abgemeldet|abmeld|suppress)/;

const banHeader =
  /^(?:do_?not_?(?:contact|call|mail|e?_?mail)|dnc|sperrvermerk|sperrkennzeichen|(?:kontakt|werbe)?sperre|gesperrt|(?:werbe)?widerspruch|nicht_kontaktieren)(?:_|$)/;

export const yesWords = ['yes', 'y', 'true', '1', 'ja', 'j', 'inactive', 'inaktiv'];

export const optOutWords = [
  'unsubscribed',
  'opted out',
  'opted-out',
  'opted_out',
  'opt-out',
  'opt_out',
  'opt out',
  'optout',
  'abgemeldet',
  'do not contact',
  'do-not-contact',
  'do_not_contact',
  'donotcontact',
  'dnc',
  'gesperrt',
  'kontaktsperre',
  'werbesperre',
  'nicht kontaktieren',
  'nicht anschreiben',
  'nicht anrufen',
  'nicht mehr anrufen',
  'nicht mehr anschreiben',
  'kein interesse',
  'not interested',
  'no interest',
  'dsgvo-löschung',
  'hard bounce',
  'bounced',
  'do not call',
  'do not mail',
  'do not email',
  'nicht mehr kontaktieren',
  'keine werbung',
  'mailsperre',
  'mailingsperre',
  'newslettersperre',
  'werbeverbot',
  'widerspruch',
  'werbewiderspruch',
  'widersprochen',
  'suppressed',
];

/** Columns in which a mark is about the company, and not about a sale or a task. */
const stateHeader =
  /status|zustand|(?:^|_)(?:state|aktiv|active|bemerkung(?:en)?|notiz(?:en)?|notes?|comments?|kommentar|hinweis|remarks?)(?:_|$)/;
const otherStateHeader =
  /deal|ticket|opportunit|order|auftrag|angebot|bestell|newsletter|mail|task|aufgabe|case|proje[ck]t|lead|invoice|rechnung|payment|zahlung|konto|sync/;

const activeHeader = /^(?:is_|ist_)?(?:aktiv|active)$/;
const inactiveWords: readonly string[] = ['no', 'n', 'false', '0', 'nein'];

/** Longer cells are remarks. */
const longestMark = 60;

const dateWords: readonly string[] = ['seit', 'am', 'vom', 'ab', 'since', 'on'];

const date = /^(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})/;

/** `x`, a date and the answer yes count in a column that asks for it. */
export function isDoNotContact(header: string, cell: string): boolean {
  if (cell.length > longestMark) return false;
  const word = cleanText(cell).toLowerCase();
  if (optOutWords.includes(withoutDate(word))) return true;
  const key = toHeaderKey(header);
  if (activeHeader.test(key) && inactiveWords.includes(word)) return true;
  if (stateHeader.test(key) && !otherStateHeader.test(key) && isRecordMark(withoutDate(word))) return true;
  // `Closed` is also a column of sales.
  const isMark = key !== 'closed' && isRecordMark(key.replaceAll(/^(?:is|ist)_|_(?:at|on|am|seit)$/g, ''));
  return (
    (optOutHeader.test(key) || banHeader.test(key) || isMark) && (date.test(word) || ['x', ...yesWords].includes(word))
  );
}

/** `gesperrt` of `gesperrt seit 01.02.2025`, `widerspruch` of `widerspruch (2024-05-01)` */
function withoutDate(text: string): string {
  const [start = ''] = text.split(/\d/, 1);
  const words = trimEndOf(start, ' .!:,(-').split(' ');
  return (dateWords.includes(words.at(-1) ?? '') ? words.slice(0, -1) : words).join(' ');
}

/** Within a sentence, these may be about an invoice or an account. */
const ambiguousWords = ['gesperrt', 'widerspruch', 'abgemeldet', 'suppressed'];
const negations = ['kein', 'keine', 'keinen', 'nicht', 'no', 'not'].map((word) => ` ${word}`);
const clearWords = optOutWords.filter((word) => !ambiguousWords.includes(word)).map(toSpaced);

/** Words with a space before and after each. */
function toSpaced(text: string): string {
  return ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
}

/** A sentence has the words, or is a mark. */
export function isRefusingComment(comment: string): boolean {
  return comment.split(/[\n.!?;:]/).some((sentence) => {
    const text = cleanText(sentence).toLowerCase();
    const spaced = toSpaced(text);
    const places = clearWords.map((word) => spaced.indexOf(word)).filter((at) => at !== -1);
    const isDenied = (at: number) => negations.some((word) => spaced.slice(0, at).endsWith(word));
    return isDoNotContact('', text) || places.some((at) => !isDenied(at));
  });
}

export function createMarkedRows() {
  const numbers: number[] = [];
  const commented: number[] = [];
  const columns = new Set<string>();
  return {
    add({ headers, columns: { used }, rows }: Pick<FilePage<unknown>, 'headers' | 'columns' | 'rows'>): void {
      const read = new Set(Object.values(used));
      const others = [...headers.entries()].filter(([, header]) => !read.has(header));
      for (const { source } of rows) {
        const marks = others.filter(([index, header]) => isDoNotContact(header, toCellText(source.cells[index] ?? '')));
        if (marks.length > 0) numbers.push(source.number);
        for (const [, header] of marks) columns.add(header);
        if (source.comment !== undefined && isRefusingComment(source.comment)) commented.push(source.number);
      }
    },
    numbers: (): Pick<NotedNumbers, 'doNotContact' | 'doNotContactComments'> => ({
      doNotContact: numbers,
      doNotContactComments: commented,
    }),
    /** Only what was found. */
    notes(): Pick<SourceReport, 'doNotContact' | 'doNotContactComments'> {
      return {
        ...(numbers.length > 0 && {
          doNotContact: { ...toNamedRows(numbers), columns: boundWords([...columns]) },
        }),
        ...(commented.length > 0 && { doNotContactComments: toNamedRows(commented) }),
      };
    },
  };
}
