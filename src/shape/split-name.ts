/** Splits `Dr. Anna Maria von der Heide` into first and last name. */

/** Words that belong to the last name that follows them. */
const particles = new Set([
  'von',
  'van',
  'vom',
  'zu',
  'zum',
  'zur',
  'de',
  'der',
  'den',
  'del',
  'della',
  'di',
  'da',
  'dos',
  'du',
  'la',
  'le',
  'ten',
  'ter',
  'el',
  'al',
  'bin',
  'ibn',
  'af',
  'av',
]);
/** With a dot where the word is a name as well: Phil, Nat, Mag. */
const titles =
  /^(?:(?:prof|dr|mr|mrs|ms|herr|frau)\.?(?:-[a-z]+\.?)?|(?:ing|dipl|mag|rer|nat|med|phil|jur|oec|h|c)\.(?:c\.)?(?:-[a-z]+\.?)?|h\.c\.)$/i;
/** What follows a name behind a comma. */
const degrees =
  /^(?:mba|ph\.?d|m\.?sc|b\.?sc|m\.?a|b\.?a|ll\.?m|ll\.?b|cpa|cfa|jr|sr|md|esq|i{1,3}|dr|prof|mag|msc|bsc)\.?$/i;

/** A single word is a last name: HubSpot shows a contact by it. `Schmidt, Anna` is read by its comma. */
export function splitName(full: string): { firstName: string | null; lastName: string | null } {
  const parts = full.split(',').map((part) => part.trim());
  const [before = '', after] = parts.filter((part, index) => index === 0 || !degrees.test(part));
  if (after) return { firstName: withoutTitles(after) || null, lastName: withoutTitles(before) || null };
  const words = withoutTitles(before).split(' ').filter(Boolean);
  if (words.length <= 1) return { firstName: null, lastName: words[0] ?? null };
  const particle = words.findIndex((word, index) => index > 0 && particles.has(word.toLowerCase()));
  const at = particle > 0 ? particle : words.length - 1;
  return { firstName: words.slice(0, at).join(' '), lastName: words.slice(at).join(' ') };
}

function withoutTitles(name: string): string {
  const words = name.split(/\s+/);
  const from = words.findIndex((word) => !titles.test(word));
  return from < 0 ? name : words.slice(from).join(' ');
}
