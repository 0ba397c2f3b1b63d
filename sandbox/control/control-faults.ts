/** Fault injection rules of the service, or of one HubSpot portal. */
import { z } from 'zod';
import { effectSchema, faultSchema, type Fault, type FaultRule, type Faults } from '../fault-rules.ts';
import { replacementResponse } from '../faulty-response.ts';
import { faultPresets, type FaultPreset } from '../hubspot/fault-presets.ts';
import type { HubSpotSandbox } from '../hubspot/hubspot-sandbox.ts';
import { Refusal } from '../service-refusal.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import {
  operationDefaults,
  refusalSchema,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const portal_id = z.coerce.number().int().optional();

const presetNames = Object.keys(faultPresets).filter(isPreset);

function isPreset(name: string): name is FaultPreset {
  return Object.hasOwn(faultPresets, name);
}

type FaultInput = Fault & { readonly preset?: FaultPreset | undefined };

/** The effects of the rule with those of its preset. */
function withPreset<Given extends FaultInput>({ preset, ...given }: Given) {
  return { ...(preset === undefined ? {} : faultPresets[preset]), ...given };
}

/** Applies a check to the effects of a rule, preset included. */
function checksEffect(rule: (fault: Fault) => boolean): (given: FaultInput) => boolean {
  return (given) => rule(withPreset(given));
}

const effectNames = Object.keys(effectSchema.shape).filter((effect) => effect !== 'commit');
const answerParts = ['body', 'html', 'headers'] as const;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A pattern for documents, which cannot ignore case otherwise. */
function anyCase(words: readonly string[]): string {
  const letters = (word: string) =>
    word
      .split('')
      .map((letter) => `[${letter}${letter.toLowerCase()}]`)
      .join('');
  return `^(?:${words.map(letters).join('|')})$`;
}

/** A rule as JSON. Its path is text; in code it may be a regular expression. */
const faultBodySchema = z
  .strictObject({
    ...faultSchema.shape,
    method: z
      .string()
      .toUpperCase()
      .meta({ pattern: anyCase(methods) })
      .pipe(z.enum(methods))
      .exactOptional(),
    path: z.string().regex(/^[/*][^?#]*$/, 'must begin with / or *, without a query'),
    portal_id: z.int().optional(),
    /** A known HubSpot failure; other fields of the rule override it. */
    preset: z.enum(presetNames).optional(),
  })
  .refine(({ preset, portal_id: portalId }) => preset === undefined || portalId !== undefined, {
    path: ['portal_id'],
    message: 'is missing: presets are for HubSpot only',
  })
  .refine(
    checksEffect(({ status, reset }) => status === undefined || reset === undefined),
    {
      path: ['reset'],
      message: 'cannot be given together with status: either an answer or a broken connection',
    },
  )
  .refine(
    checksEffect(({ body, html }) => body === undefined || html === undefined),
    {
      path: ['html'],
      message: 'cannot be given together with body',
    },
  )
  .refine(checksEffect(hasEffect), { path: ['status'], message: 'is missing: no effect is given' })
  .refine(
    checksEffect(({ status, ...fault }) => status !== undefined || !answerParts.some((part) => part in fault)),
    {
      path: ['status'],
      message: 'is missing: body, html and headers need a status',
    },
  )
  .refine(checksEffect(canBeAnswered), {
    path: ['status'],
    message: 'cannot be answered with this body and these headers',
  })
  .meta({
    description:
      'HTTP must allow the answer: no body with 204, 205 and 304, and valid names and values of headers. The effects of a preset count as given.',
    dependentRequired: { preset: ['portal_id'] },
    anyOf: [...effectNames, 'preset'].map((effect) => ({ required: [effect] })),
    allOf: [
      { not: { required: ['status', 'reset'] } },
      { not: { required: ['body', 'html'] } },
      ...answerParts.map((part) => ({
        anyOf: [{ not: { required: [part] } }, { required: ['status'] }, { required: ['preset'] }],
      })),
    ],
  });

function hasEffect(fault: object): boolean {
  return effectNames.some((effect) => effect in fault);
}

/** Headers that describe the length of the body; the server sets them. */
const framingHeaders: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection']);

/** Whether HTTP allows the answer: for example no body with a 204, and valid header names. */
function canBeAnswered({ status = 200, content_type, headers = {}, ...fault }: Answer): boolean {
  if (Object.keys(headers).some((name) => framingHeaders.has(name.toLowerCase()))) return false;
  const typed = content_type === undefined ? headers : { ...headers, 'content-type': content_type };
  try {
    // Beside a server of Hono, an answer is judged when it is read.
    replacementResponse({ ...fault, headers: typed }, status).clone();
    return true;
  } catch {
    return false;
  }
}

type Answer = Pick<Fault, 'status' | 'body' | 'html' | 'headers' | 'content_type'>;

const ruleSchema = z.looseObject({ fault_id: z.string(), calls: z.int(), left: z.int() });

export const faultOperations = {
  addFault: {
    ...operationDefaults,
    method: 'post',
    path: '/faults',
    summary: 'Add a fault injection rule for the service, or with `portal_id` for HubSpot',
    body: faultBodySchema,
    responses: { 201: ruleSchema, ...notFoundResponse },
  },
  listFaults: {
    ...operationDefaults,
    method: 'get',
    path: '/faults',
    summary: 'List the active rules',
    query: z.strictObject({ portal_id }),
    responses: { 200: z.strictObject({ faults: z.array(ruleSchema) }), ...notFoundResponse },
  },
  removeFault: {
    ...operationDefaults,
    method: 'delete',
    path: '/faults/{fault_id}',
    summary: 'Remove a rule',
    params: z.object({ fault_id: z.string() }),
    query: z.strictObject({ portal_id }),
    responses: { 204: null, ...notFoundResponse },
  },
  clearFaults: {
    ...operationDefaults,
    method: 'delete',
    path: '/faults',
    summary: 'Remove all rules',
    query: z.strictObject({ portal_id }),
    responses: { 204: null, 404: refusalSchema },
  },
} as const satisfies Record<string, ControlOperation>;

export function faultRoutes(service: ServiceSandbox, hubspot: HubSpotSandbox): ControlRoute[] {
  const faultsOf = (portalId: number | undefined): Faults =>
    portalId === undefined ? service.faults : hubspot.faults(portalId);
  return [
    route(faultOperations.addFault, ({ body: { portal_id: portalId, ...fault } }) => {
      // A rule for an unknown organisation would never end.
      if (fault.organization_id !== undefined) service.organization(fault.organization_id);
      return toBody(faultsOf(portalId).add(withPreset(fault)));
    }),
    route(faultOperations.listFaults, ({ query }) => ({ faults: faultsOf(query.portal_id).rules().map(toBody) })),
    route(faultOperations.removeFault, ({ params, query }) => {
      if (!faultsOf(query.portal_id).remove(params.fault_id))
        throw new Refusal(404, { code: 'FAULT_NOT_FOUND', message: 'No such rule, or it has ended.' });
    }),
    route(faultOperations.clearFaults, ({ query }) => faultsOf(query.portal_id).clear()),
  ];
}

/** Answers never repeat the API key of a rule. */
function toBody({ fault_id, fault, calls, left }: FaultRule) {
  const { api_key, path, ...rest } = fault;
  return { fault_id, calls, left, ...rest, path: String(path), ...(api_key === undefined ? {} : { api_key: '…' }) };
}
