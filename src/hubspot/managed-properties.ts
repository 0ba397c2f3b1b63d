// The prospect_sync properties, which this program creates: identity keys, and the result of the last order.

export interface PropertyDefinition {
  /** Lower-case letters, digits and underscores; never changes. */
  readonly name: string;
  readonly label: string;
  readonly type: 'string' | 'number' | 'datetime' | 'enumeration';
  readonly fieldType: 'text' | 'number' | 'date' | 'booleancheckbox';
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  /** Can only be set at creation, for at most ten properties of an object type. */
  readonly hasUniqueValue?: true;
}

export interface PropertyGroup {
  readonly name: string;
  readonly label: string;
}

export const COMPANY_KEY = 'prospect_sync_company_key';
export const CONTACT_KEY = 'prospect_sync_contact_key';

export const propertyGroup: PropertyGroup = { name: 'prospect_sync', label: 'Prospect sync' };

const orderId = text('prospect_sync_order_id', 'Order id');
const position: PropertyDefinition = {
  name: 'prospect_sync_position',
  label: 'Position in the order',
  type: 'number',
  fieldType: 'number',
};
const deliveredAt: PropertyDefinition = {
  name: 'prospect_sync_delivered_at',
  label: 'Delivered at',
  type: 'datetime',
  fieldType: 'date',
};
const run = text('prospect_sync_run', 'Run');
const status = text('prospect_sync_status', 'Result status');
const reasonCodes = text('prospect_sync_reason_codes', 'Result reason codes');
const mappingVersion = text('prospect_sync_mapping_version', 'Mapping version');

export const managedProperties = {
  companies: [
    { ...text(COMPANY_KEY, 'Company key'), hasUniqueValue: true },
    orderId,
    position,
    status,
    reasonCodes,
    deliveredAt,
    run,
    mappingVersion,
  ],
  contacts: [
    { ...text(CONTACT_KEY, 'Contact key'), hasUniqueValue: true },
    orderId,
    position,
    status,
    reasonCodes,
    text('prospect_sync_email_delivery_quality', 'Email delivery quality'),
    text('prospect_sync_email_status', 'Email status'),
    {
      name: 'prospect_sync_client_deliverable',
      label: 'Email deliverable by you',
      type: 'enumeration',
      fieldType: 'booleancheckbox',
      options: [
        { label: 'Yes', value: 'true' },
        { label: 'No', value: 'false' },
      ],
    },
    deliveredAt,
    run,
    mappingVersion,
  ],
} as const satisfies Record<'companies' | 'contacts', readonly PropertyDefinition[]>;

/** The classification of the newest reply of a contact. */
export const replyClassProperty = 'prospect_sync_reply_class';

/** Properties of contacts that show the newest reply. They are created when the first reply is written. */
export const replyProperties: readonly PropertyDefinition[] = [
  text(replyClassProperty, 'Last reply'),
  { name: 'prospect_sync_reply_at', label: 'Last reply at', type: 'datetime', fieldType: 'date' },
  text('prospect_sync_reply_campaign', 'Campaign of the last reply'),
  text('prospect_sync_reply_link', 'Link to the last reply'),
];

function text(name: string, label: string): PropertyDefinition {
  return { name, label, type: 'string', fieldType: 'text' };
}
