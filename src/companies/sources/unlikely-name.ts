/**
 * Decides whether a text is a name, but hardly that of a company to buy data of: a test, an example, a truth value, a word for a
 * missing name, a mark of the user's system, a row that is commented out, or a person.
 */
import { comparableName } from '../../service/contract/index.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';
import { words } from '../../base/text/words.ts';
import { isMissingWord, isPlaceholder } from './placeholder-words.ts';
import { isNameInHost, toHostParts, toNameAndHost, type NameAndWebsite } from './name-in-host.ts';
import { hasLegalForm, withoutLegalForm } from './legal-form.ts';
import { endsWithRecordMark, isRecordMark } from './record-marks.ts';
import { isRefusal, toRefusalKey } from './refusal-words.ts';

/** Without the legal form: `Test`, `Musterfirma`, `Max Mustermann`, `Testkunde 2`, but not `Testo` or `Musterring`. */
const testName =
  /^(?:max |erika )?(?:test|muster|beispiel|dummy|demo|example|sample)[ -]?(?:firma|kunde|mann|frau|unternehmen|betrieb|name|company|customer|client|account)?[ \d]*$/;

/** Keys that are next to each other, or one character several times. */
const keysOnly = /^(?:(?:asdf|qwert|yxcv|zxcv)[a-z\d]*|(\S)\1{2,})$/;

/** Letters that sort a record to the end of a list. */
const sortedToEnd = /^(?:z{3,}[ _-]|[xz]{2,}_)/;

const notToBeUsed = /\b(?:do not use|nicht (?:mehr )?(?:verwenden|benutzen|nutzen)|ne pas utiliser)\b/;

/** Records for customers without a name. */
const collectiveNames: ReadonlySet<string> = new Set(
  words(
    'barverkauf div div. diverse kassenkunde laufkunde laufkundschaft neukunde privat privatkunde sonstige unbekannt unknown',
  ),
);

/** In front of a name that shows how to fill in a row: `z.B. Alpha GmbH`, `e.g. Acme`, `Example: Acme Inc`. */
const exampleOf =
  /^(?:z\. ?b\.|zb:|e\. ?g\.|p\. ?ex\.|(?:zum beispiel|for example|par exemple)[ ,:]|(?:beispiel|muster|example|sample|exemple|e\.?g) ?:) ?\S/;

/** A row that was taken out of use: `// Alpha GmbH`, `#Alpha GmbH`, but not `#1 Pizza`, `#neuland` or `'t Hooft`. */
const commentedOut = /^(?:\/\/|\/\*|--|<!--|;|['%]\s|#{1,9}(?:\s|\p{Lu}))/u;

/** Accounts of bookkeeping that are no single company: `CpD Kunden`, `Diverse Debitoren`, `Sammelkonto Inland`, `Konto frei`. */
const collectiveAccount =
  /^(?:cpd(?: .*)?|(?:diverse|sonstige|divers\.?|versch\.?) (?:debitoren|kreditoren|kunden|lieferanten)|(?:sammel|interims|verrechnungs|durchlauf)konto(?: .*)?|konto (?:frei|gesperrt)|kasse \d{1,3})$/;

/** Companies of a kind, and who stands for a company: `Alle Banken`, `c/o Alpha AG`, `Insolvenzverwalter Maier für Alpha KG`. */
const noCompany =
  /^(?:(?:alle|sämtliche|all|every) (?:banken|firmen|unternehmen|kunden|lieferanten|wettbewerber|banks|companies|firms|customers|competitors)(?!\p{L})|c\/o |z\. ?hd\.? |(?:nachlass|erbengemeinschaft|insolvenzverwalter(?:in)?) )/u;

/** Two companies, of which one may be no more: `Alpha GmbH verkauft an Beta`, `Alpha GmbH c/o Kanzlei Maier` */
const succession =
  /\S (?:verkauft an|übernommen (?:von|durch)|aufgegangen in|fusioniert mit|sold to|acquired by|merged (?:with|into)|now part of|c\/o) \S/;

/** What a person added: `Alpha GmbH (Kunde)`, `Alpha - KUNDE -`, `Alpha - gelöscht am 1.2.2024`, `Alpha (Kopie)` */
const relation =
  /(?:[([] ?|\s[-–] )(?:(?:bestands|stamm|alt|neu)?kunde|kundin|interessent|(?:existing |former )?customer|prospect|lead|kopie|copy|gelöscht am [\d./-]{1,20})(?: ?[)\]]|[ !–-]*$)/;

/** A company could have such a name, but then its website has it too. */
const fillers: ReadonlySet<string> = new Set([
  ...words('dito ditto empty leer nil nix none t.b.d. tba tbc tbd todo'),
  '[object object]',
  'lorem ipsum',
  'no name',
  'same as above',
  's. o.',
  's.o.',
  'see above',
  'siehe oben',
  'siehe unten',
  'wie oben',
]);

/** Truth values of Excel in English and German. */
const truthValues: ReadonlySet<string> = new Set(['true', 'false', 'wahr', 'falsch']);

/** In lower case or in capitals `ms` and `mr` are initials. */
const salutation = /^(?:Herrn?|HERRN?|Frau|FRAU|Mrs?|MRS|Ms|Mme|Mlle|Monsieur|Madame|Signora?|Señora?)\.? \p{L}/u;

export function isUnlikelyName(values: NameAndWebsite): boolean {
  const { company_name: name = '' } = values;
  const comparable = comparableName(name);
  const core = withoutLegalForm(name);
  return (
    testName.test(core) ||
    keysOnly.test(core) ||
    collectiveNames.has(core) ||
    collectiveAccount.test(comparable) ||
    noCompany.test(comparable) ||
    relation.test(comparable) ||
    succession.test(comparable) ||
    truthValues.has(comparable) ||
    sortedToEnd.test(comparable) ||
    commentedOut.test(name) ||
    notToBeUsed.test(comparable) ||
    exampleOf.test(comparable) ||
    (isFiller(comparable) && !hasNameInHost(values)) ||
    (isMarked(name) && !(isMark(core) && hasNameInHost(values))) ||
    (salutation.test(name) && !hasLegalForm(name))
  );
}

/** Alone, in brackets or with dots: `(leer)`, `tbd...`; and the beginning of a text that fills pages. */
function isFiller(comparable: string): boolean {
  const bare = trimEndOf(comparable.replace(/^[(<[]+/, ''), ')>].… ');
  const isWord = (text: string) => fillers.has(text) || isPlaceholder(text) || isMissingWord(text);
  return isWord(comparable) || (bare !== comparable && isWord(bare)) || comparable.startsWith('lorem ipsum ');
}

function hasNameInHost(values: NameAndWebsite): boolean {
  const { nameWords, host } = toNameAndHost(values);
  return host !== null && isNameInHost(nameWords, toHostParts(host));
}

/** Between other signs than letters, or in capitals in front: `DUPLIKAT - Beta`, `Beta (gesperrt)`, `GESPERRT Beta`. */
function isMarked(name: string): boolean {
  const [first = ''] = name.split(/\s/, 1);
  const isShouted = first === first.toUpperCase() && isRecordMark(first.toLowerCase());
  const parts = name.split(/[^\p{L}\p{N}\s]+/u).map(comparableName);
  return isShouted || parts.some(isMark) || endsWithRecordMark(comparableName(name));
}

function isMark(text: string): boolean {
  return isRecordMark(text) || isRefusal(toRefusalKey(text));
}
