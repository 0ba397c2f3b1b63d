/** Words for `do not contact` in several languages. They are written as keys are: `desabonne` for `désabonné`. */
import { toHeaderKey } from '../../base/text/header-key.ts';
import { withoutMarks } from '../../base/text/normalize-text.ts';
import { words } from '../../base/text/words.ts';
import { isDemand } from './refusal-demands.ts';

/** `ne_plus_contacter` of `Ne plus contacter !`. The negation of English is one word. */
export function toRefusalKey(text: string): string {
  return withoutMarks(toHeaderKey(text))
    .replaceAll(/do(?:es)?_not(?=_)|do(?:es)?n_?t(?=_)/g, 'donot')
    .replaceAll(/auf_keinen_fall|keinesfalls|unter_keinen_umstaenden/g, 'nicht')
    .replaceAll(/(?<![^_])e_mail/g, 'email');
}

/** Within a sentence, these may be about an invoice, an order or an account. */
const ambiguousWords = words(
  'gesperrt widerspruch abgemeldet auftragssperre liefersperre loeschkennzeichen loeschvormerkung suppressed no_go nogo',
  'opposition opposizione oposicion sprzeciw afgemeld uitgeschreven bezwaar',
);

const clearWords = words(
  'unsubscribed opted_out opt_out optout donotcontact donotcall donotmail donotemail dnc not_interested no_interest',
  'hard_bounce bounced kontaktsperre werbesperre mailsperre mailingsperre newslettersperre kontaktverbot werbeverbot',
  'werbewiderspruch widersprochen kein_interesse keine_werbung dsgvo_loeschung robinsonliste',
  'desabonne desabonnee desinscrit desinscrite pas_interesse wypisany wypisana brak_zgody nie_wyraza_zgody',
  'disiscritto disiscritta non_interessato dado_de_baja no_interesado geen_interesse',
);

const refusalWords = [...ambiguousWords, ...clearWords];

/** The words of one language that make a request such as `do not call`. */
interface Language {
  /** Before a verb, and before a noun or a participle. */
  readonly not: readonly string[];
  readonly none: readonly string[];
  /** After the negation: `nicht mehr anrufen` */
  readonly adverbs: readonly string[];
  readonly verbs: readonly string[];
  /** `will nicht kontaktiert werden` */
  readonly wishes: readonly string[];
  /** `kein Kontakt erwünscht` */
  readonly wished: readonly string[];
  /** Beginnings of nouns and participles. */
  readonly contacts: readonly string[];
  /** `kein Kontakt` alone. No word that a person writes of data that are unknown: `keine E-Mail`. */
  readonly denied: readonly string[];
}

const languages: readonly Language[] = [
  {
    not: words('nicht nie niemals'),
    none: words('kein keine keinen keinerlei'),
    adverbs: words(
      'mehr wieder weiter weitere weiteren weiterer kuenftig zukuenftig nochmal nochmals telefonisch schriftlich werblich direkt',
    ),
    verbs: words('kontaktieren anschreiben anrufen anmailen ansprechen bewerben belaestigen'),
    wishes: words('bitte bittet wuenscht wuenschen moechte moechten will wollen darf duerfen soll sollen'),
    wished: words('erwuenscht gewuenscht'),
    contacts: words('kontakt anruf angerufen angeschrieben angesprochen beworben werb akquise emails mails'),
    denied: words(
      'kontakt kontaktaufnahme anruf anrufe mails emails mailings newsletter werbung akquise ansprache post',
    ),
  },
  {
    not: words('donot never'),
    none: words('no not'),
    adverbs: words('ever again any more further'),
    verbs: words('contact call mail email phone approach solicit'),
    wishes: words('want wants wish wishes asks asked requests requested must'),
    wished: words('wanted desired'),
    contacts: words('contact call email phoned marketing advertis'),
    denied: words('contact calls mails emails mailings newsletter newsletters marketing advertising ads'),
  },
  {
    not: words('ne pas plus'),
    none: words('aucun aucune pas plus'),
    adverbs: words('pas plus jamais le la les nous de'),
    verbs: words('contacter recontacter appeler demarcher solliciter prospecter'),
    wishes: words('souhaite souhaitent veut veulent desire desirent doit'),
    wished: words('souhaite'),
    contacts: words('contact appel demarch sollicit prospect publicit'),
    denied: words('contact contacts appel appels mails emails publicite prospection demarchage'),
  },
  {
    not: words('nie'),
    none: words('zadnego zadnych bez'),
    adverbs: words('wiecej juz sie nalezy wolno'),
    verbs: words('kontaktowac dzwonic telefonowac pisac mailowac'),
    wishes: words('chce chca zyczy zycza prosi prosza prosze prosimy'),
    wished: [],
    contacts: words('kontakt dzwoni telefon reklam maili'),
    denied: words('kontaktu kontaktow telefonow reklam maili newslettera'),
  },
  {
    not: words('non'),
    none: words('nessun nessuna niente'),
    adverbs: words('piu'),
    verbs: words('contattare ricontattare chiamare telefonare disturbare'),
    wishes: words('vuole vogliono desidera desiderano'),
    wished: words('desiderato'),
    contacts: words('contatt chiamat pubblicita'),
    denied: words('contatto chiamata chiamate pubblicita mail email'),
  },
  {
    not: words('no nao'),
    none: words('no ningun ninguna nenhum nenhuma sin sem'),
    adverbs: words('volver a mas mais'),
    verbs: words('contactar contatar llamar ligar molestar'),
    wishes: words('quiere quieren desea desean quer deseja'),
    wished: words('deseado'),
    contacts: words('contact contat llam publicidad'),
    denied: words('contacto contato llamadas correos publicidad publicidade'),
  },
  {
    not: words('niet nooit'),
    none: words('geen'),
    adverbs: words('meer weer'),
    verbs: words('benaderen contacteren contacten bellen mailen aanschrijven'),
    wishes: words('wil willen wenst wensen mag'),
    wished: words('gewenst'),
    contacts: words('contact benader gebeld gemaild reclame'),
    denied: words('contact mails emails telefoontjes reclame nieuwsbrief'),
  },
];

const negations: ReadonlySet<string> = new Set(languages.flatMap(({ not, none }) => [...not, ...none]));

const polite: readonly string[] = words(
  'bitte please prosze prosimy svp merci unbedingt favor strikt strictly absolut absolutely',
);

/** The index of the verb of a request that begins there; -1: none does. */
function endOfRequest(said: readonly string[], start: number): number {
  if (!negations.has(said[start] ?? '')) return -1;
  const ends = languages.map(({ not, adverbs, verbs }) => {
    if (!not.includes(said[start] ?? '')) return -1;
    let at = start + 1;
    while (adverbs.includes(said[at] ?? '')) at += 1;
    return verbs.includes(said[at] ?? '') ? at : -1;
  });
  return Math.max(...ends);
}

/** The most words from a negation to what it denies, and from a wish to the negation. */
const reach = 4;

function isUnwished(said: readonly string[], start: number): boolean {
  return languages.some(({ not, none, wishes, wished, contacts }) => {
    const denies = (word = '') => not.includes(word) || none.includes(word);
    if (!denies(said[start])) return false;
    const isWished =
      wishes.includes(said[start + 1] ?? '') ||
      said.slice(Math.max(0, start - reach), start).some((word) => wishes.includes(word));
    const after = said.slice(start + 1, start + 1 + reach);
    const at = after.findIndex((word) => contacts.some((contact) => word.startsWith(contact)));
    return at !== -1 && (isWished || after.slice(at + 1).some((word) => wished.includes(word)));
  });
}

/** `Kein Kontakt!`, `Bitte keine Mails mehr`, and nothing else: `Bisher kein Kontakt` and `kein Kontakt bekannt` are not meant. */
function isNoContact(clause: string): boolean {
  const [first = '', ...rest] = clause.split('_').filter((word) => !polite.includes(word));
  return languages.some(({ not, none, adverbs, denied }) => {
    const [what = '', ...others] = rest.filter((word) => !not.includes(word) && !adverbs.includes(word));
    return none.includes(first) && denied.includes(what) && others.every((word) => word === 'aufnehmen');
  });
}

/** Whether a text that is a key says nothing else. */
export function isRefusal(key: string): boolean {
  if (refusalWords.includes(key)) return true;
  const said = key.split('_').filter((word) => !polite.includes(word));
  return said.length > 1 && endOfRequest(said, 0) === said.length - 1;
}

/** `Werbeverbot seit`, `DSGVO Widerspruch`, `Bitte nicht anschreiben` */
export function isRefusalHeader(key: string): boolean {
  return (
    refusalWords.some((word) => `${key}_`.startsWith(`${word}_`) || key.endsWith(`_${word}`)) ||
    hasRequest(key.split('_')) ||
    isNoContact(key) ||
    isDemand(key)
  );
}

function hasRequest(said: readonly string[]): boolean {
  return said.some((_, start) => endOfRequest(said, start) !== -1);
}

/** `,` and words between two parts of a sentence, of which the first may say the contrary of the second. */
const clauseEnds = /[,()]| [-–] |\b(?:sondern|aber|lieber|but|mais|ale|sino|maar)\b/;

/** `sentence`: as it is written, in lower case. */
export function isRefusingSentence(sentence: string): boolean {
  const spaced = `_${toRefusalKey(sentence)}_`;
  const places = clearWords.map((word) => spaced.indexOf(`_${word}_`)).filter((at) => at !== -1);
  const isDenied = (at: number) => negations.has(spaced.slice(spaced.lastIndexOf('_', at - 1) + 1, at));
  if (places.some((at) => !isDenied(at))) return true;
  return sentence.split(clauseEnds).some((clause) => {
    const key = toRefusalKey(clause);
    if (isDemand(key) || isNoContact(key)) return true;
    const said = key.split('_');
    return hasRequest(said) || said.some((word, start) => negations.has(word) && isUnwished(said, start));
  });
}
