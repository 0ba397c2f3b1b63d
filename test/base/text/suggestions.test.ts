import { closestMatch } from '../../../src/base/text/suggestions.ts';

describe('closestMatch', () => {
  it.each([
    ['linkedin_page', ['linkedinbio', 'linkedin_company_page'], 'linkedin_company_page'],
    ['linkedin_pages', ['linkedin_page', 'linkedin_company_page'], 'linkedin_page'],
    ['api-key', ['apiKey', 'other'], 'apiKey'],
    ['colour', ['city', 'country'], null],
    ['prospect_sync_reply_class', ['prospect_sync_reason_codes', 'prospect_sync_status'], null],
    ['prospect_sync_reason_code', ['prospect_sync_reason_codes'], 'prospect_sync_reason_codes'],
    ['prospect_snyc_reason_codes', ['prospect_sync_reason_codes'], 'prospect_sync_reason_codes'],
  ])('of %s among %j is %s', (word, known, expected) => expect(closestMatch(word, known)).toBe(expected));
});
