/** Campaign actions that forward replies, and simulated replies. */
import { z } from 'zod';
import { replyClassifications } from '../../src/service/contract/index.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import {
  actionChangeSchema,
  actionInputSchema,
  callerRoleSchema,
  keptRepliesSchema,
  replyInputSchema,
} from '../webhooks/webhook-inputs.ts';
import { deliveriesSchema, deliverySchema } from './control-deliveries.ts';
import {
  organizationParams,
  operationDefaults,
  refusalResponses,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const actionSchema = z.looseObject({
  action_id: z.string(),
  type: z.string(),
  campaign_id: z.string(),
  campaign_name: z.string(),
  flow_name: z.string(),
  address_id: z.string(),
  address_state: z.enum(['active', 'paused']),
  classifications: z.array(z.enum(replyClassifications)),
  added_by: z.string(),
  created_at: z.string(),
});

const actionParams = organizationParams.extend({ action_id: z.string() });

export const actionOperations = {
  addAction: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/actions',
    summary: 'Create an action that forwards the replies of a campaign to an address; sends nothing',
    params: organizationParams,
    body: actionInputSchema,
    responses: { 201: actionSchema, ...notFoundResponse },
  },
  listActions: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/actions',
    summary: 'List the actions',
    params: organizationParams,
    responses: { 200: z.strictObject({ actions: z.array(actionSchema) }), ...notFoundResponse },
  },
  changeAction: {
    ...operationDefaults,
    method: 'patch',
    path: '/organizations/{organization_id}/actions/{action_id}',
    summary: 'Change an action; sends nothing',
    params: actionParams,
    body: actionChangeSchema,
    responses: { 200: actionSchema, ...notFoundResponse },
  },
  removeAction: {
    ...operationDefaults,
    method: 'delete',
    path: '/organizations/{organization_id}/actions/{action_id}',
    summary: 'Remove an action',
    params: actionParams,
    responses: { 204: null, ...notFoundResponse },
  },
  sendTest: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/actions/{action_id}/test',
    summary: "Send a test reply and return the receiver's answer",
    params: actionParams,
    responses: { 200: deliverySchema, ...refusalResponses },
  },
  sendTestAndResume: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/actions/{action_id}/test-and-resume',
    summary: 'Send a test reply to a paused address and resume it when the test is delivered',
    params: actionParams,
    body: callerRoleSchema,
    responses: { 200: deliverySchema, ...refusalResponses },
  },
  receiveReply: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/replies',
    summary: 'Simulate a reply: one delivery for each matching action of its campaign',
    params: organizationParams,
    body: replyInputSchema,
    responses: { 201: deliveriesSchema, ...notFoundResponse },
  },
  sendKeptReplies: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/kept-replies',
    summary: 'Send the replies that were kept while an address was paused',
    params: organizationParams,
    body: keptRepliesSchema,
    responses: { 200: deliveriesSchema, ...refusalResponses },
  },
} as const satisfies Record<string, ControlOperation>;

export function actionRoutes({ webhooks: { actions, replies } }: ServiceSandbox): ControlRoute[] {
  return [
    route(actionOperations.addAction, ({ params, body }) => actions.add(params.organization_id, body)),
    route(actionOperations.listActions, ({ params }) => ({ actions: actions.list(params.organization_id) })),
    route(actionOperations.changeAction, ({ params, body }) =>
      actions.change(params.organization_id, params.action_id, body),
    ),
    route(actionOperations.removeAction, ({ params }) => actions.remove(params.organization_id, params.action_id)),
    route(actionOperations.sendTest, ({ params }) => replies.sendTest(params.organization_id, params.action_id)),
    route(actionOperations.sendTestAndResume, ({ params, body }) =>
      replies.sendTestAndResume(params.organization_id, params.action_id, body),
    ),
    route(actionOperations.receiveReply, ({ params, body }) => ({
      deliveries: replies.receive(params.organization_id, body),
    })),
    route(actionOperations.sendKeptReplies, ({ params, body }) => ({
      deliveries: replies.sendKept(params.organization_id, body),
    })),
  ];
}
