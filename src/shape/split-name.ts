/** `Dr. Anna Maria von der Heide` as first and last name. */

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
const titles = /^(?:(?:prof|dr|mr|mrs|ms|ing|dipl|mag|herr|frau|rer|nat|med|phil|jur|h\.?c)\.?(?:-[a-z.]+)?)$/i;

/** A single word is a last name: HubSpot shows a contact by it. `Schmidt, Anna` is read by its comma. */
export function splitName(full: string): { firstName: string | null; lastName: string | null } {
  const [before = '', after] = full.split(',').map((part) => part.trim());
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
