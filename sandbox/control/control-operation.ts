import { z } from 'zod';
import type { HttpOperation } from '../../src/contract/operation.ts';

/** Refusals of the control plane; `problems` when the request breaks a rule. */
export const refusalSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  problems: z.array(z.string()).optional(),
});

/** An operation of the control plane: JSON in and out, no keys, no idempotency. */
export type ControlOperation = HttpOperation & { readonly idempotency: 'none' };

/** What most operations do without. */
export const plain = { params: null, query: null, body: null, idempotency: 'none' } as const;

export const unknownThing = { 404: refusalSchema } as const;

export const organizationId = z.guid();
export const ofOrganization = z.object({ organization_id: organizationId });

/** How long a request may wait for what it waits for. */
export const waitTimeout = z.coerce.number().int().min(0).max(600_000).optional();
export const usualWait = { count: 1, timeout_ms: 10_000 } as const;

/** ISO 8601 UTC with milliseconds: the time of the stand-ins' clock. */
export const moment = z.iso.datetime();
