import { processorMs } from '../../helpers/processor-time.ts';
import { isDoubtfulName } from '../../../src/companies/sources/name-problem.ts';

describe('isDoubtfulName', () => {
  it.each([
    'M\uFFFDller GmbH',
    'MÃ¼ller GmbH',
    'GroÃŸ AG',
    'SociÃ©tÃ\u00A0 Roma',
    'Alpha â€“ Beta',
    'GarcÃa S.L.',
    'BaÅ¡ka',
    'KovaÄ\u008D d.o.o.',
    'WÅ‚ocÅ‚awek',
    'Î‘Î»Ï†Î±',
    'Ð¡Ñ‚Ñ€Ð¾Ð¹',
    'M├╝ller GmbH',
    'M?ller GmbH',
    '4711',
    '1.250.000,00',
    '+49 711 123-4',
    'alpha.example',
    'https://www.alpha.example/de',
    'info@alpha.example',
    'Summe',
    'GESAMTSUMME:',
    'Grand  Total :',
    'Totale',
    'Ergebnis',
    'Gesamtergebnis:',
    'Alpha GmbH;Beta AG',
    'Alpha | Beta',
    'Alpha GmbH, Beta AG',
    'Alpha GmbH / Beta AG',
    'Alpha GmbH\nBeta S.A.',
    'Alpha GmbH\nHauptstr. 5\n70173 Stuttgart',
    'Alpha\nBeta',
    'GmbH',
    'GmbH & Co. KG',
    'S.A.',
    'company_name',
    'Firma',
    '*',
    '&',
    'Germany',
    'Deutschland',
  ])('is true for %p', (name) => expect(isDoubtfulName(name, undefined)).toBe(true));

  it.each([
    'Müller & Söhne GmbH',
    'JÄGER GIEẞEREI',
    'SÃO JOÃO – Irmãos Lda.',
    'Å–Ä “Nord”',
    'Škoda Ø Ñandú',
    'Άλφα',
    'Строй',
    '3M',
    '1&1 AG',
    'Was denn? GmbH',
    'Müller GmbH & Co.KG',
    'Booking.com Holland / Amsterdam',
    'St.Gallen',
    'Total Energies',
    'Summer',
    'Alpha Co., Ltd.',
    'Novo A/S',
    'Alpha GmbH, Köln',
    'Alpha/Beta GmbH',
    'Alpha\nGmbH',
    'AG Weser',
    '1&1',
    'Germany Trade & Invest',
  ])('is false for %p', (name) => expect(isDoubtfulName(name, undefined)).toBe(false));

  it.each(['Total', 'Jordan'])('is false for the label %s that has a website', (name) => {
    expect(isDoubtfulName(name, 'total.example')).toBe(false);
  });

  it('takes linear time', () => {
    const judge = () => {
      for (const text of ['ag ', 'ag, ', '/', 'Ã', '4 ', 'Ð¡', 'a?', 'a.', ':'])
        isDoubtfulName(text.repeat(30_000), undefined);
    };
    expect(processorMs(judge)).toBeLessThan(2_000);
  });
});
