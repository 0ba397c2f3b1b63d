/** `contacts`: which people of a result become contacts. */
import { z } from 'zod';
import { comparableQuality, type ContactPolicy } from '../delivery/mapping/contact-policy.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { flag } from './setting-values.ts';
import { childOf, validItems } from './partial-validation.ts';

/** The service gives only examples of its values, so any value is accepted. */
const quality = z.string().min(1);
const qualities = z.array(quality).min(1);

export const contactsSchema = z
  .strictObject({
    require_client_deliverable: flag
      .default(false)
      .describe('Leave out people whose email address is not known to be deliverable from your side'),
    delivery_quality: z
      .strictObject({
        only: qualities
          .optional()
          .describe('Accept only these values of email_delivery_quality; a missing value is left out'),
        except: qualities.optional().describe('Leave out these values of email_delivery_quality'),
      })
      .prefault({})
      .describe('Accepted values of email_delivery_quality, for example only: [client_deliverable]'),
    without_email: z
      .enum(['skip', 'create'])
      .default('skip')
      .describe('People without an email address: skip them, or create a contact by name'),
  })
  .prefault({})
  .transform(({ delivery_quality: { only = null, except = [] }, ...contacts }): ContactPolicy => ({
    requireClientDeliverable: contacts.require_client_deliverable,
    deliveryQualities: { only, except },
    withoutEmail: contacts.without_email,
  }))
  .describe('Which people of a result become contacts');

export function checkContacts(contacts: unknown): PathProblem[] {
  const qualityLists = childOf(contacts, 'delivery_quality');
  const only = new Set(validItems(quality, childOf(qualityLists, 'only')).map(([, value]) => comparableQuality(value)));
  return validItems(quality, childOf(qualityLists, 'except'))
    .filter(([, value]) => only.has(comparableQuality(value)))
    .map(([index]) =>
      problemAt(['contacts', 'delivery_quality', 'except', index], 'is also in only', 'Remove it from one of the two'),
    );
}

export const contactsTemplate = `# Which people of a result become contacts.
# contacts:
#   require_client_deliverable: false     # true: leave out people whose address is not known to be deliverable from your side
#   delivery_quality:                     # by email_delivery_quality
#     only: [client_deliverable]          # only these
#     except: [risky_internal_catchall]   # all but these
#   without_email: skip                   # create: create a contact by name for a person without an email address
`;
