/** Schemas of the JSON inputs for webhooks; times are ISO 8601. */
import { z } from 'zod';
import { replyClassifications } from '../../src/service/contract/index.ts';
import { Refusal } from '../service-refusal.ts';

/** Role of the caller. Members may only manage actions (A74). */
export const roleSchema = z.enum(['owner', 'admin', 'member']);
export type Role = z.infer<typeof roleSchema>;

export const keyHeaderRules = {
  /** RFC 9110, 5.6.2. */
  name: /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/,
  /** Printable ASCII without spaces at the ends, which every HTTP implementation transports unchanged. */
  value: /^[!-~](?:[ -~]*[!-~])?$/,
  longestName: 255,
  longestValue: 4_096,
} as const;

/** The patterns are for documents: receiver-addresses.ts says which rule is broken, without the value. */
const keyHeaderSchema = z.strictObject({
  name: z.string().min(1).meta({
    pattern: keyHeaderRules.name.source,
    maxLength: keyHeaderRules.longestName,
    description: 'Not a header of the request itself',
  }),
  value: z
    .string()
    .meta({ pattern: keyHeaderRules.value.source, minLength: 1, maxLength: keyHeaderRules.longestValue }),
});
const person = z.string().min(1);
const text = z.string().exactOptional();

/** `added_by` receives the email when the address is paused. */
export const addressInputSchema = z.strictObject({
  role: roleSchema,
  added_by: person,
  url: z.string().min(1).meta({ format: 'uri', pattern: '^https?://', description: 'A public or an allowed address' }),
  key_header: keyHeaderSchema.nullable().exactOptional(),
});
export type AddressInput = z.infer<typeof addressInputSchema>;

/** Null removes the key header. */
export const keyChangeSchema = z.strictObject({ role: roleSchema, key_header: keyHeaderSchema.nullable() });
export type KeyChange = z.infer<typeof keyChangeSchema>;

export const callerRoleSchema = z.strictObject({ role: roleSchema });
export type CallerRole = z.infer<typeof callerRoleSchema>;

/** `added_by` receives the emails about failed deliveries. */
export const actionInputSchema = z.strictObject({
  campaign_id: z.string().min(1),
  campaign_name: text,
  flow_name: text,
  address_id: z.string(),
  /** Classifications of the replies to forward; default: all. */
  classifications: z.array(z.enum(replyClassifications)).min(1).exactOptional(),
  added_by: person,
});
export type ActionInput = z.infer<typeof actionInputSchema>;

export const actionChangeSchema = actionInputSchema.omit({ added_by: true, campaign_id: true }).partial();
export type ActionChange = z.infer<typeof actionChangeSchema>;

/** A delivered contact: the slot of an order (default: the first slot with a contact) and the index of the contact. */
const prospectPlaceSchema = z.strictObject({
  order_id: z.string(),
  input_position: z.int().min(0).exactOptional(),
  prospect: z.int().min(0).default(0),
});

/** The person who replied: a delivered contact by its slot, or any email address, known or unknown. */
export const replyInputSchema = z
  .strictObject({
    classification: z.enum(replyClassifications),
    classification_reason: text,
    campaign_id: z.string().min(1),
    prospect: prospectPlaceSchema.exactOptional(),
    reply_from_email: text,
    thread_subject: text,
    reply_text: text,
    reply_received_at: z.iso.datetime({ offset: true }).exactOptional(),
    sent_from_email: text,
  })
  .refine(({ prospect, reply_from_email }) => (prospect === undefined) !== (reply_from_email === undefined), {
    message: 'either prospect or reply_from_email',
  })
  .meta({ oneOf: [{ required: ['prospect'] }, { required: ['reply_from_email'] }] });
export type ReplyInput = z.input<typeof replyInputSchema>;

/** The kept replies of one action, or of every action that uses an address. */
export const keptRepliesSchema = z.union([
  z.strictObject({ action_id: z.string() }),
  z.strictObject({ address_id: z.string() }),
]);
export type KeptReplies = z.infer<typeof keptRepliesSchema>;

const deliveryFaultKinds = [
  'duplicate',
  'reorder',
  'stale_timestamp',
  'wrong_signature',
  'old_key_only',
  'reserialised_body',
  'bit_flip',
  'truncated',
] as const;

/** Affects the next `times` attempts: to one address, of one organisation, or all. */
export const deliveryFaultSchema = z.strictObject({
  kind: z.enum(deliveryFaultKinds),
  times: z.int().positive(),
  organization_id: text,
  address_id: text,
});
export type DeliveryFault = z.infer<typeof deliveryFaultSchema>;

/** "Only owners and admins …" ("Setup rules", 4). Throws a Refusal (403). */
export function requireAdmin(role: Role): void {
  if (role === 'owner' || role === 'admin') return;
  throw new Refusal(403, { code: 'WEBHOOK_ROLE_REQUIRED', message: 'Only owners and admins may do this.' });
}
