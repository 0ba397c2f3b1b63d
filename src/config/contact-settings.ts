/** Which people become contacts: what is written, and what the program runs on. */
import { z } from 'zod';
import type { ContactPolicy } from '../mapping/contact-policy.ts';
import { flag } from './setting-values.ts';

/** The service gives examples of its words only, so any is taken. */
const qualities = z.array(z.string().min(1)).min(1);

export const contactsSchema = z
  .strictObject({
    require_client_deliverable: flag
      .default(false)
      .describe('Leave out people whose address is not known to be deliverable by you'),
    delivery_quality: z
      .strictObject({
        only: qualities.optional().describe('Take these words of email_delivery_quality alone; unknown is left out'),
        except: qualities.optional().describe('Leave out these words of email_delivery_quality'),
      })
      .prefault({})
      .describe('Which delivery qualities of an address are taken, for example only: [client_deliverable]'),
    without_email: z
      .enum(['skip', 'create'])
      .default('skip')
      .describe('People without an address: skip them, or create a contact by name'),
  })
  .prefault({})
  .describe('Which people of a result become contacts');

export function toContactPolicy(contacts: z.infer<typeof contactsSchema>): ContactPolicy {
  const { only, except } = contacts.delivery_quality;
  return {
    requireClientDeliverable: contacts.require_client_deliverable,
    deliveryQualities: { only: only ?? null, except: except ?? [] },
    withoutEmail: contacts.without_email,
  };
}
