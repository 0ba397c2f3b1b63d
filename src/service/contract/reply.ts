import { z } from 'zod';
import { assumed, openEnum, record } from './schema.ts';
import { replyClassifications } from './enum-values.ts';

const text = () => z.string();

/** Flat; every key is present, and unknown values are empty strings ("Body fields"). */
export const replyDataSchema = record({
  classification: openEnum(replyClassifications),
  classification_reason: text(),
  prospect_first_name: text(),
  prospect_last_name: text(),
  prospect_full_name: text(),
  prospect_email: text(),
  prospect_job_title: text(),
  company_name: text(),
  company_website: text(),
  company_country: text(),
  campaign_id: text(),
  campaign_name: text(),
  flow_name: text(),
  thread_subject: text(),
  reply_text: text(),
  reply_text_truncated: z.boolean(),
  reply_from_email: text(),
  reply_received_at: text(),
  sent_from_email: text(),
  app_url: assumed('A71', text()),
});

/** The body of the webhook event, signed by Standard Webhooks ("Signature"). */
export const replyWebhookSchema = record({
  id: text(),
  type: openEnum(replyClassifications.map((classification) => `reply.${classification}`)),
  timestamp: text(),
  api_version: assumed('A64', text()),
  test: z.boolean(),
  data: replyDataSchema,
});
