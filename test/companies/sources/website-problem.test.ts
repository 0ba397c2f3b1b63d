import { isPlaceholder } from '../../../src/companies/sources/placeholder-words.ts';
import { findWebsiteProblem, isDoubtfulWebsite } from '../../../src/companies/sources/website-problem.ts';

describe('findWebsiteProblem', () => {
  it.each([
    'acme.example',
    'https://www.acme.de/x,y.html',
    'https://acme.de/a;b|c',
    'HTTP://Acme.co.uk:8080/?q=1 2',
    'info@acme.de',
    'müller.de',
    'acme.github.io',
    'https://acme.de/@team',
    'a.test',
    'https://acme.de/shop/index.py,index.pl',
  ])('accepts %s', (address) => {
    expect(findWebsiteProblem(address)).toBeNull();
  });

  it.each([
    ['a.example;b.example', 'several'],
    ['a.example, b.example', 'several'],
    ['https://a.example/x,https://b.example', 'several'],
    ['www.a.de / www.b.de', 'several'],
    ['a.de und b.de', 'several'],
    ['keine', 'not a valid web address'],
    ['www.a b.example', 'not a valid web address'],
    ['a.example;b', 'not a valid web address'],
    ['siehe.Notiz', 'not under a known ending'],
    ['acme.gmbh.', 'accepted'],
    ['192.168.1.10', 'not under a known ending'],
    ['co.uk', 'not under a known ending'],
    ['https://user:secret@two.example', 'a user name or a password'],
    [' HTTP://user@two.example/a', 'a user name or a password'],
    ['www.user:a b@two.example', 'a user name or a password'],
  ])('finds that %s is %s', (address, problem) => {
    expect(findWebsiteProblem(address) ?? 'accepted').toContain(problem);
  });
});

describe('isDoubtfulWebsite', () => {
  it.each([
    'example.com',
    'https://www.example.org/a',
    'shop.example.net',
    'acme.test',
    'acme.localhost',
    'a.invalid',
    'ww.dee.de',
    'https://wwww.eee.de/',
    'www.keine.de',
    'https://unbekannt.com/',
    'www.xxx.de',
    'test.de',
    'brak.pl',
    'aucun.fr',
    'аcme.de',
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Facme.de&data=05',
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__www.acme.de&d=x',
    'https://urldefense.com/v3/__https://acme.de__;!!x',
    'https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9hY21lLmRlLw',
    'https://duckduckgo.com/l/?uddg=https%3A%2F%2Facme.de',
    'https://web.archive.org/web/2020/http://acme.de',
  ])('is true for %s', (address) => expect(isDoubtfulWebsite(address)).toBe(true));

  it.each([
    '',
    'acme.example',
    'www.acme.de',
    'w.wiki',
    'ww.de',
    'testo.de',
    'shop-test.de',
    'test.acme.de',
    'unknown.example',
    'example.de',
    'xxxlutz.de',
    'leer.de',
    'müller.de',
    'пример.рф',
    'https://acme.de/https/?u=a1',
    'https://https.de',
  ])('is false for %p', (address) => expect(isDoubtfulWebsite(address)).toBe(false));
});

describe('isPlaceholder', () => {
  it.each([
    '#N/A',
    '#NV',
    '#WERT!',
    '#BEZUG!',
    '#NAME?',
    '#DIV/0!',
    'n/a',
    'N. A.',
    'k. A.',
    '-',
    '–',
    '0',
    '####',
    'Err:502',
  ])('is true for %s', (text) => {
    expect(isPlaceholder(text)).toBe(true);
  });

  it.each(['NA', 'Namibia', '00', '3', 'A-', 'Keine GmbH', '#1 Consulting', '0'.repeat(50)])(
    'is false for %s',
    (text) => {
      expect(isPlaceholder(text)).toBe(false);
    },
  );
});
