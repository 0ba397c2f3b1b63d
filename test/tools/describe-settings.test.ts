import { describeSettings } from '../../tools/describe-settings.ts';

const settings = describeSettings();
const find = (key: string) => settings.find((setting) => setting.key === key);

describe('describeSettings', () => {
  it('describes every setting with a key, a type and a sentence', () => {
    expect(settings.length).toBeGreaterThan(120);
    expect(settings.filter(({ key, type, description }) => [key, type, description].includes(''))).toEqual([]);
    expect(new Set(settings.map(({ key }) => key)).size).toBe(settings.length);
  });

  it('returns type, default and example of a setting', () => {
    expect(find('polling.order_max')).toMatchObject({
      type: 'duration',
      required: false,
      default: '10m',
      example: '10m',
    });
    expect(find('hubspot.budget.concurrency')).toMatchObject({ type: 'whole number, 1 to 50', default: '8' });
    expect(find('service.base_url')).toMatchObject({
      type: 'web address or {env: NAME}',
      required: true,
      default: null,
    });
    expect(find('exclusions.NAME.hubspot.lists')).toMatchObject({ example: '[1234]' });
    expect(find('runs.NAME.service_outputs[].spreadsheet_id')).toMatchObject({ required: true, example: '1AbC' });
  });

  it('describes settings that several kinds of runs share once', () => {
    expect(find('runs.NAME.kind')).toMatchObject({ type: 'one of discovery, enrichment', required: true });
    expect(find('runs.NAME.briefing_quantity')).toMatchObject({ type: 'whole number, above 0', required: true });
    expect(find('runs.NAME.companies.csv')).toMatchObject({ type: 'text', required: false });
  });
});
