import { comparableName } from '../../service/contract/index.ts';
import { noRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import type { SourceCell } from '../../base/spreadsheet/table.ts';
import { words } from '../../base/text/words.ts';
import { isEmailAddress } from './blacklist-entry.ts';
import { isMost } from './crowded-values.ts';
import { isNameInHost, significantLength, toHostParts, toNameAndHost } from './name-in-host.ts';
import { hasLegalForm } from './legal-form.ts';

/** Companies can have the names of their owners. */
const fewestPeople = 3;

/** Finds the rows whose name is that of a person, if most names are. */
export function createPeopleNames() {
  let named = 0;
  let people = noRows;
  return {
    /** `cells`: all that are known of the row. */
    add({ company_name: name = '' }: FieldValues, cells: readonly SourceCell[], number: number): void {
      if (name !== '') named += 1;
      if (!hasLegalForm(name) && (isPersonName(name) || cells.some((cell) => isMailboxOf(name, cell))))
        people = withRow(people, number);
    },
    rows: (): NamedRows => (people.rows >= fewestPeople && isMost(people.rows, named) ? people : noRows),
  };
}

/** Usual first names in German, English and other languages of Europe. */
const firstNames: ReadonlySet<string> = new Set(
  words(
    'alexander alexandra alfred ali amy anders andre andrea andreas andrew angela angelika anja anke anna anne annette antje anton',
    'antonio astrid barbara bastian beate ben benjamin bernd bernhard bettina birgit björn brian brigitte bruno carla carlos carmen',
    'carolin caroline charles charlotte chris christa christian christiane christina christine christoph christopher claire',
    'claudia clemens cornelia daniel daniela david deborah dennis diana dieter dietmar dirk dominik doris eduard elena elisabeth',
    'elizabeth elke emily emma eric erich erik erika ernst eva evelyn fabian felix ferdinand florian francesco frank franz',
    'françois françoise friedrich fritz gabriele gabriel georg george gerd gerhard gerald gisela giovanni giulia giuseppe günter',
    'günther hannah hannes hans harald hartmut heike heiko heinrich heinz helen helena helga helmut henrik herbert hermann holger',
    'horst hubert ines inge ingo ingrid isabel isabelle jack jakob james jan jana jane janine jason jean jennifer jens jessica',
    'joachim joan jochen johann johanna johannes john jonas jonathan jordan jörg josé josef joseph joshua juan judith julia julian',
    'jürgen justin jutta kai karen karin karl karl-heinz karsten katharina kathrin katja katrin kerstin kevin kim klaus konrad',
    'kristina kurt lars laura laurent lea lena leon linda lisa luca lukas luis luigi magdalena maik manfred manuel manuela marc',
    'marcel marco marcus margarete margaret maria marie mario marion mark markus marta martin martina mary mathias matteo matthew',
    'matthias max maximilian mehmet melanie mia michael michaela michelle miriam mohamed mohammed monica monika mustafa nadine',
    'nancy natalie nicholas nico nicole niels nils nina norbert olaf oliver olivier otto paolo pascal patricia patrick paul paula',
    'pedro peter petra philip philipp philippe pierre rachel rainer ralf ralph raphael rebecca regina reinhard reiner renate rené',
    'richard robert roberto roland rolf roman ronald rudolf ruth ryan sabine sabrina samuel sandra sara sarah scott sebastian',
    'silke silvia simon simone sofia sonja sophia sophie stefan stefanie steffen stephan stephanie stephen steven susan susanne',
    'sven tanja theresa thomas thorsten tim timo tobias tom torsten udo ulrich ulrike ursula ute uwe valentin vanessa vera verena',
    'veronika victor viktor volker walter waltraud werner wilhelm william wolfgang yvonne',
  ),
);

const titles = /^(?:(?:herrn?|frau|mrs?|ms|dr|prof|ing|mag|dipl\.?-\p{L}+)\.?\s+)+/u;

const particles = /\s(?:v\.|von|van|vom|zu|zur|de|del|den|der|di|da|la|le|el|ter)(?=\s)/gu;

/** Two words, or three of which the second is a first name or a letter: `Anna Schmidt`, `Schmidt, Anna`, `John F. Smith`. */
function isPersonName(name: string): boolean {
  if (name.length > longestName || !/^[\p{L}\p{M}\s.,'’-]+$/u.test(name)) return false;
  const [last = '', given, ...others] = comparableName(name).split(', ');
  if (others.length > 0) return false;
  const plain = (given === undefined ? last : `${given} ${last}`).replace(titles, '').replaceAll(particles, '');
  const [first = '', ...rest] = plain.split(' ');
  const [second = ''] = rest;
  const isShort = rest.length === 1 || (rest.length === 2 && (firstNames.has(second) || /^\p{L}\.?$/u.test(second)));
  return firstNames.has(first) && isShort;
}

const longestName = 60;

/** `anna.schmidt@alpha.de` of Anna Schmidt, but not `alpha@alpha.de` of Alpha Bau, nor a mailbox of a provider, which has any name. */
function isMailboxOf(name: string, cell: SourceCell): boolean {
  if (typeof cell !== 'string' || name.length > longestName || !isEmailAddress(cell)) return false;
  const { nameWords, host } = toNameAndHost({ company_name: name, website_url: cell });
  if (host === null || nameWords.length < 2 || nameWords.length > 3 || isNameInHost(nameWords, toHostParts(host)))
    return false;
  const [local = ''] = cell.toLowerCase().split('@', 1);
  return nameWords.some((word) => word.length >= significantLength && local.includes(word));
}
