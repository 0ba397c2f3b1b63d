import { judgeCountry } from '../../../src/base/countries/judge-country.ts';

const unknown = { kind: 'unknown', meant: null };

describe('judgeCountry', () => {
  it.each([
    ['Deutschland', 'Germany'],
    ['GERMANY', 'Germany'],
    ['Oesterreich', 'Austria'],
    ['Österreich', 'Austria'],
    ['Suisse', 'Switzerland'],
    ['Italia', 'Italy'],
    ['Austrija', 'Austria'],
    ['Holland', 'Netherlands'],
    ['The Netherlands', 'Netherlands'],
    ['Turkey', 'Türkiye'],
    ['England', 'United Kingdom'],
    ['Island', 'Iceland'],
    ['USA', 'United States'],
    ['Niger', 'Niger'],
    ['Trinidad and Tobago', 'Trinidad & Tobago'],
    ['Bosnia and Herzegovina', 'Bosnia & Herzegovina'],
    ['Cote d’Ivoire', 'Côte d’Ivoire'],
    ['Moldova, Republic of', 'Moldova'],
    ['Iran, Islamic Republic of', 'Iran'],
    ['Taiwan, Province of China', 'Taiwan'],
    ['Korea, Republic of', 'South Korea'],
    ['Federal Republic of Germany', 'Germany'],
    ['Deutschland (DE)', 'Germany'],
    ['Germany / Deutschland', 'Germany'],
    ['South Africa', 'South Africa'],
    ['Papua New Guinea', 'Papua New Guinea'],
  ])('recognises %s', (text, name) => expect(judgeCountry(text)).toEqual({ kind: 'country', name }));

  it.each([
    ['DE', 'Germany'],
    ['no', 'Norway'],
    ['D', null],
    ['AUT', null],
  ])('takes %s as a code', (text, name) => expect(judgeCountry(text)).toEqual({ kind: 'code', name }));

  it.each([
    ['Germany Austria', ['Germany', 'Austria']],
    ['Germany & Austria', ['Germany', 'Austria']],
    ['Deutschland/Schweiz', ['Deutschland', 'Schweiz']],
    ['Germany,Austira', ['Germany', 'Austira']],
    ['DE, AT', ['DE', 'AT']],
    ['DE AT CH', ['DE', 'AT', 'CH']],
    ['only Germany or Austria', ['Germany', 'Austria']],
  ])('finds the countries of %s', (text, names) => expect(judgeCountry(text)).toEqual({ kind: 'several', names }));

  it.each([
    'DACH',
    'D-A-CH',
    'EU',
    'European Union',
    'Europe',
    'Europa',
    'Benelux',
    'Worldwide',
    'All except Germany',
    'All except Germany and Austria',
    'Western Europe',
    'DACH region',
  ])('takes %s as a region', (text) => expect(judgeCountry(text)).toEqual({ kind: 'region' }));

  it.each([
    ['Deutschlnd', 'Deutschland'],
    ['Detuschland', 'Deutschland'],
    ['Germny', 'Germany'],
    ['Östereich', 'Österreich'],
    ['Switzerlnd', 'Switzerland'],
    ['Frankrech', 'Frankreich'],
    ['Austia', 'Austria'],
    ['Austira', 'Austria'],
  ])('finds that %s is probably %s', (text, meant) => expect(judgeCountry(text)).toEqual({ kind: 'unknown', meant }));

  it.each(['Bavaria', 'Bayern', 'Berlin', 'Vienna', 'Milan', '49', 'XX', '', 'South of Germany', 'x'.repeat(10_000)])(
    'does not know %p, and proposes nothing',
    (text) => expect(judgeCountry(text)).toEqual(unknown),
  );
});
