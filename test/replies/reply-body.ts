const data = {
  classification: 'interested',
  classification_reason: 'Asks for a meeting.',
  prospect_first_name: 'Jane',
  prospect_last_name: 'Doe',
  prospect_full_name: 'Jane Doe',
  prospect_email: 'jane@acme.example',
  prospect_job_title: '',
  company_name: 'Acme',
  company_website: 'https://acme.example',
  company_country: '',
  campaign_id: 'autumn',
  campaign_name: 'Autumn',
  flow_name: '',
  thread_subject: 'Re: Hello',
  reply_text: 'Yes, please.',
  reply_text_truncated: false,
  reply_from_email: 'jane@acme.example',
  reply_received_at: '2026-11-20T11:59:00.000000Z',
  sent_from_email: 'me@sender.example',
  app_url: '',
};
/** The body of a reply webhook as the specification describes it. */
export const reply = (changes: object = {}, dataChanges: object = {}) =>
  JSON.stringify({
    id: 'msg_1',
    type: 'reply.interested',
    timestamp: '2026-11-20T12:00:00.000000Z',
    api_version: '2026-11-01',
    test: false,
    data: { ...data, ...dataChanges },
    ...changes,
  });
