/** Words by which a system, or a person, marks a record as not to be used, or its company as closed. */
import { trimEndOf } from '../../base/text/normalize-text.ts';
import { words } from '../../base/text/words.ts';

/** In comparable form. No word that is the trade of companies, such as `Insolvenz`. */
const recordMarks: ReadonlySet<string> = new Set([
  ...words('blocked deleted doublon dublette duplicate duplikat gelöscht geloescht gesperrt inactive inaktiv obsolete'),
  ...words(
    'veraltet archived archiviert insolvent bankrupt bankrott geschlossen closed dissolved aufgelöst aufgeloest',
  ),
  ...words('liquidated liquidiert erloschen stillgelegt defunct konkurs pleite wettbewerber konkurrent competitor'),
  'dauerhaft geschlossen',
  'permanently closed',
  'firma erloschen',
  'out of business',
  'ceased trading',
  'existiert nicht mehr',
  'nicht mehr aktiv',
  'no longer active',
  'no longer in business',
]);

/** `i.L.`, `in Liquidation` */
const endedForm =
  /^(?:i\. ?l\.?|(?:in|en) (?:abwicklung|insolvency|insolvenz|liquidation|liquidazione|liquidación|liquidatie))$/;

const endedAtEnd = /[\s(,-](i\. ?l\.?|(?:in|en) \p{L}{8,12})\)?$/u;

/** What a column of states says of a company in trouble. Who works in insolvencies is no such company. */
const trouble =
  /^(?:in |im |laufende[rs]? |ongoing )?(?:insolven(?!zverwalt|zberat|zrecht|cy prac)|konkurs|bankrupt|sanktion|sanction|embargo|rechtsstreit|litigation|lawsuit|legal dispute|betrug|fraud|zwangsvollstreck|liquidation judiciaire|redressement judiciaire|faillite|fallimento|concurso de acreedores|quiebra|upadłość|faillissement|failliet)/;

/** `text` is in comparable form. `insolvenzverfahren eröffnet`, `sanktionsliste` */
export function isStateMark(text: string): boolean {
  return isRecordMark(text) || trouble.test(text);
}

/** `text` is in comparable form. */
export function isRecordMark(text: string): boolean {
  return recordMarks.has(trimEndOf(text, '.! ')) || endedForm.test(text);
}

/** `alpha gmbh i.l.` in comparable form */
export function endsWithRecordMark(name: string): boolean {
  return endedForm.test(endedAtEnd.exec(name)?.[1] ?? '');
}
