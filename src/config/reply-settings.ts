/** `replies` and `order_status`: the webhooks that `receive` accepts, and what a reply does. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { replyClassifications } from '../service/contract/enum-values.ts';
import { colleagueScopes, defaultReplyPolicy, suppressedScopes, type ReplyPolicy } from './reply-policy.ts';
import { checkVariable, fromEnvironment, headerVariable, toSecret, type Secret } from './environment.ts';
import { childOf } from './partial-validation.ts';
import type { PathProblem } from './problems.ts';
import { filePath, filledText, flag, headerName } from './setting-values.ts';

/** The paths of the receiver; its address in the service, or a proxy before it, may have more in front of them. */
export const replyPath = '/replies';
export const orderStatusPath = '/order-status';

/** A rotation needs two; one more for a second rotation within 24 hours. */
const mostSecrets = 3;

const secretReference = z
  .union(
    [
      fromEnvironment,
      z.strictObject({
        file: filePath.describe('File that holds the secret and nothing else; it is read again when it changes'),
      }),
    ],
    { error: 'must be {env: NAME} or {file: PATH}' },
  )
  .describe('Signing secret (whsec_…)');

const endpoint = {
  secrets: z
    .array(secretReference)
    .min(1)
    .max(mostSecrets)
    .optional()
    .describe('Signing secrets, the newest first: during a rotation name the new and the old one'),
  key: z
    .strictObject({
      header: headerName.describe('Name of the header'),
      value: fromEnvironment.describe('Value of the header, as {env: NAME}'),
    })
    .optional()
    .describe('A header that the sender adds to each request, if one was set for the address'),
};

const classSchema = z
  .strictObject({
    note: flag.optional().describe('Add a note with the reply to the contact'),
    task: flag.optional().describe('Create a task for the owner of the contact'),
    lead_status: filledText
      .max(100)
      .nullable()
      .optional()
      .describe('Internal name of the hs_lead_status to set; null leaves it unchanged'),
  })
  .prefault({});

export const repliesSchema = z
  .strictObject({
    ...endpoint,
    suppress: z
      .enum(suppressedScopes)
      .default(defaultReplyPolicy.suppress)
      .describe('Whom a do_not_contact reply suppresses: only the person, or the whole company'),
    suppress_colleagues: z
      .enum(colleagueScopes)
      .default(defaultReplyPolicy.suppressColleagues)
      .describe(
        'Whether do_not_contact also suppresses a sender who is not the prospect: only at the domain of the prospect, or at any. A sender can be forged',
      ),
    unsubscribe: flag
      .default(defaultReplyPolicy.unsubscribe)
      .describe(
        'After do_not_contact, unsubscribe the prospect from all marketing email in HubSpot; this cannot be undone',
      ),
    classes: z
      .strictObject(
        Object.fromEntries(
          replyClassifications.map((name) => [name, classSchema.describe(`What a reply does that is ${name}`)]),
        ),
      )
      .prefault({})
      .describe('What a reply does in HubSpot, by its classification'),
  })
  .prefault({})
  .describe('Replies to campaigns, which the service sends to `prospect-sync receive`');

export const orderStatusSchema = z
  .strictObject(endpoint)
  .prefault({})
  .describe('Notifications of order status: they wake the workflow that waits for the order');

/** A signing secret: its value, or a file that holds it. */
export type SecretReference = { readonly value: Secret } | { readonly file: string };

const webhookSecret = {
  pattern: /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
  rule: 'must hold whsec_ and 24 to 64 bytes in base64',
};

export function checkReceivedWebhooks(
  section: 'replies' | 'order_status',
  value: unknown,
  env: Environment,
): PathProblem[] {
  const secrets = childOf(value, 'secrets');
  return [
    ...(Array.isArray(secrets) ? secrets : []).flatMap((secret: unknown, index) =>
      checkVariable([section, 'secrets', index, 'env'], secret, webhookSecret, env),
    ),
    ...checkVariable([section, 'key', 'value', 'env'], childOf(childOf(value, 'key'), 'value'), headerVariable, env),
  ];
}

type EndpointSettings = z.infer<typeof orderStatusSchema>;

export function toWebhookEndpoint(
  { secrets = [], key }: EndpointSettings,
  env: Environment,
  toPath: (path: string) => string,
) {
  return {
    /** Newest first. Empty: the endpoint is not configured. */
    secrets: secrets.map((secret): SecretReference =>
      'env' in secret ? { value: toSecret(secret, env) } : { file: toPath(secret.file) },
    ),
    /** null: no key header. */
    key: key === undefined ? null : { header: key.header, value: toSecret(key.value, env) },
  };
}

export type WebhookEndpointConfig = ReturnType<typeof toWebhookEndpoint>;

export function toReplies(
  {
    suppress,
    suppress_colleagues: suppressColleagues,
    unsubscribe,
    classes,
    ...settings
  }: z.infer<typeof repliesSchema>,
  env: Environment,
  toPath: (path: string) => string,
) {
  const policies = replyClassifications.map((name) => {
    const { note, task, lead_status: leadStatus } = classes[name] ?? {};
    const standard = defaultReplyPolicy.classes[name];
    return [
      name,
      {
        note: note ?? standard.note,
        task: task ?? standard.task,
        leadStatus: leadStatus === undefined ? standard.leadStatus : leadStatus,
      },
    ] as const;
  });
  const policy: ReplyPolicy = {
    suppress,
    suppressColleagues,
    unsubscribe,
    classes: { ...defaultReplyPolicy.classes, ...Object.fromEntries(policies) },
  };
  return { ...toWebhookEndpoint(settings, env, toPath), policy };
}

export const repliesTemplate = `# Replies to campaigns: \`prospect-sync receive\` accepts them, and writes them to HubSpot. See docs/replies.md.
# replies:
#   secrets:                              # the newest first; during a rotation the old one too
#     -
#       env: REPLIES_SECRET               # whsec_…
#   key:                                  # only if the address was given a key in the service
#     header: X-Receiver-Key
#     value: {env: RECEIVER_KEY}
#   suppress: person                      # scope of do_not_contact; company: all people of it
#   suppress_colleagues: same_domain      # any: also a sender at another domain than the prospect, who may be forged
#   unsubscribe: false                    # true: do_not_contact unsubscribes in HubSpot too; it cannot be undone
#   classes:                              # what a reply does in HubSpot; these are the defaults
#     interested:
#       note: true
#       task: true                        # for the owner of the contact
#       lead_status: CONNECTED            # internal name of a hs_lead_status; null leaves it unchanged
#     referral: {note: true, task: true, lead_status: CONNECTED}
#     not_interested: {note: true, task: false, lead_status: UNQUALIFIED}
#     do_not_contact: {note: true, task: false, lead_status: UNQUALIFIED}
#     wrong_person: {note: true, task: false, lead_status: UNQUALIFIED}
#     out_of_office: {note: true, task: false, lead_status: null}
#     unactionable: {note: false, task: false, lead_status: null}

# Notifications of order status wake a waiting order before its next poll.
# order_status:
#   secrets:
#     -
#       file: order-status-secret         # is read again when it changes
`;
