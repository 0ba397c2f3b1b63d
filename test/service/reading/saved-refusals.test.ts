/** Rejections of orders by independent services that follow the specification, up to the accepted order. */
import { readFileSync } from 'node:fs';
import type { OrderInput } from '../../../src/service/contract/index.ts';
import { defaultRequestSettings, type RequestSettings } from '../../../src/service/contract/request-settings.ts';
import { toOrderBody, suggestSettings, withRequestSetting } from '../../../src/service/reading/order-requests.ts';
import { readError } from '../../../src/service/reading/read-error.ts';

interface Refusals {
  readonly service: string;
  readonly order: 'DISCOVERY' | 'ENRICHMENT';
  /** Bodies of 422 in their order; the test followed each suggestion. */
  readonly answers: readonly unknown[];
  /** The settings with which the service accepted the order. */
  readonly accepted: Readonly<Record<string, string>>;
}

const file = 'test/fixtures/other-services/refusals.json';
const saved = JSON.parse(readFileSync(file, 'utf8')) as Refusals[];

const common = { profile_id: '1aec8482-143e-42e1-be33-4f35ade98b61', title: 'Autumn', features: ['CONTACTS'] as const };
const row = {
  company_name: 'Nordwind Energie GmbH',
  website_url: 'https://nordwind-energie.example',
  city: 'Bremen',
  country: 'DE',
};
const inputs = {
  DISCOVERY: { ...common, order_type: 'DISCOVERY', briefing_quantity: 3, blacklist_ids: [] },
  ENRICHMENT: { ...common, order_type: 'ENRICHMENT', companies: [row] },
} as unknown as Readonly<Record<Refusals['order'], OrderInput>>;

describe('suggestSettings', () => {
  it.each(saved.map((refusals) => [refusals.service, refusals.order, refusals] as const))(
    'suggests settings until the service accepts the order: %s, %s',
    (_, order, { answers, accepted }) => {
      let requests: RequestSettings = defaultRequestSettings;
      const changed: Record<string, string> = {};
      for (const answer of answers) {
        const body = toOrderBody(inputs[order], requests);
        const { fields, detail } = readError(answer, { sent: body, secret: '' });
        expect(detail).not.toMatch(/nordwind|bremen/i);
        for (const { setting, value } of suggestSettings(fields, requests, body)) {
          requests = withRequestSetting(requests, setting, value);
          changed[setting.replace('service.requests.', '')] = value;
        }
      }
      expect(changed).toEqual(accepted);
    },
  );
});
