/** Fault injection rules: which requests fail, how, and how many of them. */
import { z } from 'zod';
import type { KeptValue } from './state/data-folder.ts';

/** The requests that a rule affects. Every given field must match. */
const matchSchema = z.strictObject({
  method: z.string().exactOptional(),
  /** The start of the path; `*` matches anything. */
  path: z.union([z.string().min(1), z.instanceof(RegExp)]),
  organization_id: z.guid().exactOptional(),
  api_key: z.string().min(1).exactOptional(),
  /** The first matching request that fails, counted from 1. Default 1. */
  call: z.int().positive().exactOptional(),
  /** Number of consecutive requests that fail. */
  times: z.int().positive(),
});

/** The effect of a rule. */
export const effectSchema = z.strictObject({
  /** Whether the request is executed. Default: yes, unless the answer is replaced or the connection breaks. */
  commit: z.boolean().exactOptional(),
  /** The connection breaks instead of an answer or, with `truncate`, in the middle of it. */
  reset: z.literal(true).exactOptional(),
  /** Replaces the answer, with `body` as JSON, a page of HTML, or nothing. */
  status: z.int().min(200).max(599).exactOptional(),
  body: z.unknown().exactOptional(),
  html: z.literal(true).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  content_type: z.string().min(1).exactOptional(),
  /** Sends only half of the body. */
  truncate: z.literal(true).exactOptional(),
  /** Delays the answer by this many milliseconds of real time. */
  delay_ms: z.int().positive().max(600_000).exactOptional(),
  /** Sends the body in ten pieces over this many milliseconds of real time. */
  drip_ms: z.int().positive().max(600_000).exactOptional(),
});

export const faultSchema = z.strictObject({ ...matchSchema.shape, ...effectSchema.shape });
export type Fault = z.infer<typeof faultSchema>;

export interface FaultRule {
  readonly fault_id: string;
  readonly fault: Fault;
  /** Matching requests, failed or not. */
  readonly calls: number;
  /** Requests that will still fail. */
  readonly left: number;
}

/** As JSON. */
export interface KeptFaults {
  readonly rules: readonly FaultRule[];
  readonly added: number;
}

export interface FaultyCall {
  readonly method: string;
  readonly path: string;
  readonly organizationId?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface Faults {
  add(fault: Fault): FaultRule;
  /** The rules that have not ended, oldest first. */
  rules(): FaultRule[];
  /** False if the rule does not exist or has ended. */
  remove(faultId: string): boolean;
  clear(): void;
  /** Continues with the kept rules, and keeps every change from now on. A rule with a RegExp ends with its process. */
  keep(kept: KeptValue<KeptFaults>): void;
  /** The first rule that applies to this request, in the order in which rules were added. */
  take(call: FaultyCall): FaultRule | undefined;
}

export function createFaults(): Faults {
  let rules: { fault_id: string; fault: Fault; calls: number; left: number }[] = [];
  let added = 0;
  let place: KeptValue<KeptFaults> | null = null;
  const save = () => place?.save({ rules: rules.filter(({ fault }) => typeof fault.path === 'string'), added });
  return {
    add(fault) {
      const rule = { fault_id: `fault-${(added += 1)}`, fault, calls: 0, left: fault.times };
      rules.push(rule);
      save();
      return { ...rule };
    },
    rules: () => rules.map((rule) => ({ ...rule })),
    remove(faultId) {
      const left = rules.filter(({ fault_id }) => fault_id !== faultId);
      const found = left.length < rules.length;
      rules = left;
      save();
      return found;
    },
    clear() {
      rules = [];
      save();
    },
    keep(kept) {
      place = kept;
      const earlier = kept.load();
      rules = [...(earlier?.rules ?? [])].map((rule) => ({ ...rule }));
      added = earlier?.added ?? 0;
    },
    take(call) {
      for (const rule of rules) {
        if (!matches(rule.fault, call)) continue;
        rule.calls += 1;
        const isDue = rule.calls >= (rule.fault.call ?? 1);
        if (isDue) rule.left -= 1;
        if (rule.left === 0) rules = rules.filter((other) => other !== rule);
        save();
        if (!isDue) continue;
        return { ...rule };
      }
      return undefined;
    },
  };
}

function matches(fault: Fault, { method, path, organizationId, apiKey }: FaultyCall): boolean {
  return (
    (fault.method === undefined || fault.method.toUpperCase() === method) &&
    (fault.organization_id === undefined || fault.organization_id.toLowerCase() === organizationId) &&
    (fault.api_key === undefined || fault.api_key === apiKey) &&
    (typeof fault.path === 'string' ? matchesPathPattern(path, fault.path) : fault.path.test(path))
  );
}

/** `*` matches anything; the path may continue after the pattern. */
function matchesPathPattern(path: string, pattern: string): boolean {
  const [beginning = '', ...parts] = pattern.split('*');
  if (!path.startsWith(beginning)) return false;
  let end = beginning.length;
  return parts.every((part) => {
    const at = path.indexOf(part, end);
    end = at + part.length;
    return at >= 0;
  });
}
