/** Words by which a row says: do not contact, or the company is closed. */
import { toCellText } from '../../base/spreadsheet/table.ts';
import { boundWords } from '../../base/text/bound-text.ts';
import { cleanText } from '../../base/text/clean-text.ts';
import { toHeaderKey } from '../../base/text/header-key.ts';
import { toNamedRows } from '../../base/text/named-rows.ts';
import { trimEndOf, withoutMarks } from '../../base/text/normalize-text.ts';
import { words } from '../../base/text/words.ts';
import type { SourceReport } from '../../ledger/draft-source.ts';
import type { FilePage } from './company-source.ts';
import { isRecordMark, isStateMark } from './record-marks.ts';
import { isRefusal, isRefusalHeader, isRefusingSentence, toRefusalKey } from './refusal-words.ts';
import { isDemand } from './refusal-demands.ts';
import type { NotedNumbers } from './ordered-notes.ts';

/** Headers, as keys, of columns that say it, in any list. */
export const optOutHeader = /(?:^|_|^has)(?:unsub|opt(?:ed)?_?out)|^(?:abgemeldet|abmeld|suppress)/;

/** Also marks of ERP systems: `Zentrale Auftragssperre`, `Löschvormerkung`. Dunning and payment are no matter of contacts. */
const banHeader =
  /(?<!mahn|zahl|zahlungs)sperre(?:_|$)|^(?:zu_)?loeschen$|^(?:to_(?:be_)?)?deleted?$|^sperr(?:vermerk|kennzeichen|kz|datum)(?:_|$)|(?:^|_)loesch(?:kennzeichen|kz|vermerk|vormerkung|datum)|(?:^|_)(?:deletion|delete)_(?:flag|mark|indicator)|^marked_for_deletion|(?:^|_)(?:order|delivery|sales|contact)_block(?:_|$)/;

/** Columns, as keys, that say which rows of a list are to be excluded; opting out is of people. */
const blockHeader =
  /^(?:is_|ist_|zu_)?(?:exclu(?:de[ds]?|sion)|block(?:ed)?|black_?list(?:ed)?|ausschliessen|ausschluss|ausgeschlossen|(?:kontakt)?sperre|gesperrt|sperren|sperr(?:vermerk|kennzeichen)|blockiert|do_?not_?contact|dnc|nicht_kontaktieren|(?:nicht|do_?not|kein)_?(?:bestellen|bestellung|order|buy|anreichern|enrich))(?:_(?:flag|kz|kennzeichen|(?:ja|j|yes|y|1)_(?:nein|n|no|0)))?$/;

export function isBlockHeader(header: string): boolean {
  return blockHeader.test(toHeaderKey(header));
}

export const yesWords = words('yes y true 1 ja j wahr inactive inaktiv oui vrai tak prawda si sí sì sim vero');
export const noWords = words('no n false 0 nein falsch non faux nie fałsz não nee falso');

/** `01` and `Z1`, by which ERP systems give the reason of a block. */
const blockCode = /^(?!0+$)[a-z]?\d{1,2}$/;

/** Columns in which a mark is about the company, and not about a sale or a task. */
const stateHeader =
  /status|statut|^(?:dsgvo|gdpr)$|(?:^|_)(?:kunden|firmen|account|customer|company|relationship)_?(?:typ|type|art|kategorie|category|gruppe)$|zustand|^(?:typ|type|art|kategorie|category|klassifizierung)$|phase$|lifecycle|(?:^|_)(?:state|estado|stato|stan|aktiv|active)(?:_|$)/;
const remarkHeader =
  /(?:^|_)(?:bemerkung(?:en)?|anmerkung(?:en)?|notiz(?:en)?|notes?|comments?|kommentare?|hinweise?|remarks?|commentaires?|remarques?|uwagi|komentarz|comentarios?|observaciones|notas?|commenti|osservazioni|opmerking(?:en)?|notities?)(?:_|$)/;
const otherStateHeader =
  /deal|ticket|opportunit|order|auftrag|angebot|bestell|newsletter|mail|task|aufgabe|case|proje[ck]t|lead|invoice|rechnung|payment|zahlung|konto|sync/;

/** Columns that ask for a permission: `Einwilligung`, `Kontakt erlaubt`, `Marketing consent`, `DSGVO ok`, `Mailing`. */
const permissionHeader =
  /einwilligung|zustimmung|consent(?:_|$)|consenso|consentement|consentimiento|toestemming|(?:^|_)zgoda|^(?:werbung|newsletter|mailings?|emailing|marketing)(?:_(?:ok|status))?$|^(?:darf_|may_)?(?:kontaktier(?:en|bar)|anrufen|anschreiben|anmailen|ansprechen|bewerben|contactable|contacter|contattare|contactar|kontaktowac|benaderen)(?:_ok)?$|(?:^|_)(?:dsgvo|gdpr|rgpd|rodo|avg)_?(?:ok|okay|konform|compliant|freigabe)(?:_|$)|(?:kontakt|contact|marketing|werbung|ansprache|anruf|call|mail|mailing|newsletter)_?(?:erlaubt|ok|allowed|permitted|gestattet|gewuenscht|erwuenscht|permission|freigabe|autorise|consentito|permitido)(?:_|$)/;

const deniedWords = words(
  'widerrufen entzogen zurückgezogen verweigert abgelehnt withdrawn revoked denied refused declined',
  'retiré refusé revocato negato retirado denegado wycofana cofnięta ingetrokken geweigerd',
);

const activeHeader = /^(?:is_|ist_)?(?:aktiv|active)$/;

/** Longer cells are remarks. */
const longestMark = 60;
const longestRemark = 1_000;

const dateWords: readonly string[] = ['seit', 'am', 'vom', 'ab', 'since', 'on'];

const date = /^(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})/;

/** Whether a cell of a column with this header is a mark. `x`, a date and the answer yes count in a column that asks for it. */
export function createMarkTest(header: string): (cell: string) => boolean {
  const key = withoutMarks(toHeaderKey(header));
  const isAboutOthers = otherStateHeader.test(key);
  const isRemark = remarkHeader.test(key) && !isAboutOthers;
  const isState = isRemark || (stateHeader.test(key) && !isAboutOthers);
  // `Closed` is also a column of sales.
  const isMark = key !== 'closed' && isRecordMark(key.replaceAll(/^(?:is|ist)_|_(?:at|on|am|seit)$/g, ''));
  const isPermission = permissionHeader.test(key);
  const isBan = banHeader.test(key);
  const isAsked =
    optOutHeader.test(key) || isBlockHeader(header) || isBan || isMark || isRefusalHeader(toRefusalKey(header));
  return (cell) => {
    if (cell === '') return false;
    if (isRemark && isRefusingComment(cell.slice(0, longestRemark))) return true;
    if (cell.length > longestMark) return false;
    const word = cleanText(cell).toLowerCase();
    if (isRefusal(toRefusalKey(withoutDate(word)))) return true;
    if ((activeHeader.test(key) || isPermission) && noWords.includes(word)) return true;
    if (isPermission && deniedWords.includes(withoutDate(word))) return true;
    if (isState && (isStateMark(withoutDate(word)) || isDemand(toRefusalKey(word)))) return true;
    return isAsked && (date.test(word) || word === 'x' || yesWords.includes(word) || (isBan && blockCode.test(word)));
  };
}

/** `gesperrt` of `gesperrt seit 01.02.2025`, `widerspruch` of `widerspruch (2024-05-01)` */
function withoutDate(text: string): string {
  const [start = ''] = text.split(/\d/, 1);
  const parts = trimEndOf(start, ' .!:,(-').split(' ');
  return (dateWords.includes(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts).join(' ');
}

const isMarkAlone = createMarkTest('');

/** A sentence has the words, or is a mark. */
export function isRefusingComment(comment: string): boolean {
  return comment.split(/[\n.!?;:]/).some((sentence) => {
    const text = cleanText(sentence).toLowerCase();
    return isMarkAlone(text) || isRefusingSentence(text);
  });
}

export function createMarkedRows() {
  const numbers: number[] = [];
  const commented: number[] = [];
  const columns = new Set<string>();
  return {
    add({ headers, columns: { used }, rows }: Pick<FilePage<unknown>, 'headers' | 'columns' | 'rows'>): void {
      const read = new Set(Object.values(used));
      const others = [...headers.entries()]
        .filter(([, header]) => !read.has(header))
        .map(([index, header]) => ({ index, header, isMarked: createMarkTest(header) }));
      for (const { source } of rows) {
        const marks = others.filter(({ index, isMarked }) => isMarked(toCellText(source.cells[index] ?? '')));
        if (marks.length > 0) numbers.push(source.number);
        for (const { header } of marks) columns.add(header);
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
