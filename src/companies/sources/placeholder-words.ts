/** Texts of programs and words of people that stand for no value. */
import { trimEndOf } from '../../base/text/normalize-text.ts';
import { words } from '../../base/text/words.ts';

/** Errors of Excel and Google Sheets, each line in a language, without the Spanish `¡` and `¿`. */
const spreadsheetErrors: ReadonlySet<string> = new Set(
  words(
    '#n/a #value! #ref! #name? #div/0! #num! #null! #spill! #calc! #getting_data #connect! #blocked! #unknown! #field! #busy! #external! #python!',
    '#timeout! #error! #refresh #pend',
    '#nv #wert! #bezug! #zahl! #überlauf! #kalk! #daten_abrufen #verbinden! #blockiert! #unbekannt! #feld! #beschäftigt! #fehler!',
    '#valeur! #nom? #nombre! #nul! #propagation! #chargement_donnees #connexion! #bloqué! #inconnu! #champ! #occupé! #erreur!',
    '#n/d #valor! #nombre? #nulo! #desbordamiento! #obteniendo_datos #conectar! #bloqueado! #desconocido! #campo! #ocupado!',
    '#valore! #rif! #nome? #nullo! #espansione! #errore!',
    '#núm! #despejar! #erro!',
    '#n/b #waarde! #verw! #naam? #deel/0! #getal! #leeg! #overloop! #bezet! #fout!',
    '#n/d! #arg! #adr! #nazwa? #dziel/0! #liczba! #zero! #rozlanie! #obl! #błąd!',
  ),
);

/** Followed by dots, what spreadsheets and their add-ins show until a formula has its value. */
const loadingWords: ReadonlySet<string> = new Set(
  words(
    'loading loadingdata calculating refreshing refreshingdata requestingdata retrieving retrievingdata fetching fetchingdata gettingdata updating pleasewait',
    'wirdgeladen datenwerdengeladen datenwerdenabgerufen lädt laden wirdberechnet wirdaktualisiert aktualisierung bittewarten',
    'chargement chargementencours calculencours actualisation actualisationencours veuillezpatienter',
    'cargando cargandodatos calculando actualizando obteniendodatos carregando acarregar',
    'caricamento caricamentoincorso caricamentodati calcoloincorso aggiornamento aggiornamentoincorso',
    'wordtgeladen bezigmetladen gegevensladen berekenen vernieuwen',
    'ładowanie ładowaniedanych trwaładowanie wczytywanie pobieraniedanych obliczanie odświeżanie',
  ),
);

/** `0` is the result of a look-up in Excel that finds an empty cell. `na` is missing here: it is the code of Namibia. */
const emptyWords: ReadonlySet<string> = new Set(
  words('- -- --- – — 0 n/a n.a. n.a k/a k.a. k.a n/v n.v. n.v null (null) undefined'),
);

/** Some companies have such a name, so that names are only announced. `None` and `Leer` are cities. */
const missingWords: ReadonlySet<string> = new Set(
  words(
    'nan <na> <nan> [null] <null> \\n (leer) (blank) (empty) (none) (vide) (vuoto) (vacío) (puste) <leer> <empty> [leer] [empty]',
    'n.n. keineangabe keineangaben ohneangabe nichtbekannt nichtvorhanden nichtangegeben unbekannt entfällt',
    'notavailable notapplicable notprovided notspecified unspecified unknown sansobjet nonrenseigné nonrenseignée noncommuniqué inconnu inconnue',
    'brak brakdanych niedotyczy niepodano nieznany nieznana nieznane b/d b.d. nondisponibile sconosciuto sconosciuta n/d n.d.',
    'sindatos noaplica nodisponible desconocido desconocida s/d geengegevens nietvantoepassing nietbekend onbekend n.v.t. n.n.b.',
  ),
);

/** The first line of a list to choose from: `-- Bitte wählen --`, `Select...`, `--None--`. `None` is a city. */
const unchosen =
  /^(?:[-–<[(]*(?:bitte(?:aus)?wählen|(?:bitte)?auswählen|(?:please)?(?:select|choose)(?:one|anoption)?|(?:veuillez)?(?:sélectionner|choisir)|seleccion(?:e|ar)|selezion(?:a|are)|maakeenkeuze|wybierz)[-–>\])….:]*|[-–<[(]+none[-–>\])]+)$/;

const longestWord = 40;

/** Names neither a company nor anything else. */
export function isPlaceholder(text: string): boolean {
  const word = toWord(text);
  return isErrorWord(word) || emptyWords.has(word) || isLoadingText(text);
}

/** Also `####`, which Excel shows in a column that is too narrow, `Err:502` of LibreOffice, and `#N/A Requesting Data` of add-ins. */
export function isSpreadsheetError(text: string): boolean {
  return isErrorWord(toWord(text));
}

function isErrorWord(word: string): boolean {
  return spreadsheetErrors.has(word.replace(/^#[¡¿]/, '#')) || /^(?:#{2,40}|err:\d{3}|#n\/a[\p{L}@(].*)$/u.test(word);
}

/** `Loading...`, `Wird geladen…` */
export function isLoadingText(text: string): boolean {
  return /(?:\.\.|…)$/.test(text) && isLoadingWord(toWord(text));
}

/** Stands for no value in any field but the name. */
export function isMissingWord(text: string): boolean {
  const word = toWord(text);
  return missingWords.has(word) || isLoadingWord(word) || unchosen.test(word);
}

function isLoadingWord(word: string): boolean {
  return loadingWords.has(trimEndOf(word, '.…'));
}

function toWord(text: string): string {
  return text.length > longestWord ? '' : text.toLowerCase().replaceAll(/\s/g, '');
}
