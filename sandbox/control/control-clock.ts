/** The clock of the whole sandbox. */
import { z } from 'zod';
import { isRepresentable } from '../clock-state.ts';
import type { Clock } from '../clock.ts';
import { Refusal } from '../service-refusal.ts';
import {
  timestampSchema,
  operationDefaults,
  refusalSchema,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const clockSchema = z.strictObject({ mode: z.enum(['real', 'frozen']), now: timestampSchema });

const durationPattern = /^P(?=[\dT])(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

const changeSchema = z
  .strictObject({
    mode: z.enum(['real', 'frozen']).optional(),
    advance: z.string().regex(durationPattern, 'must be an ISO 8601 duration such as PT12H').optional(),
    to: z.iso.datetime({ offset: true }).optional(),
  })
  .refine(({ advance, to }) => advance === undefined || to === undefined, {
    path: ['to'],
    message: 'cannot be given together with advance',
  })
  .meta({ not: { required: ['advance', 'to'] } });

export const clockOperations = {
  getClock: {
    ...operationDefaults,
    method: 'get',
    path: '/clock',
    summary: 'Read the time, and whether the clock is frozen',
    responses: { 200: clockSchema },
  },
  setClock: {
    ...operationDefaults,
    method: 'post',
    path: '/clock',
    summary: 'Freeze, resume or advance the clock; answers when all due work is done',
    body: changeSchema,
    responses: { 200: clockSchema, 409: refusalSchema },
  },
} as const satisfies Record<string, ControlOperation>;

export function clockRoutes(clock: Clock): ControlRoute[] {
  const state = () => {
    const { mode, now } = clock.state();
    return { mode, now: new Date(now).toISOString() };
  };
  return [
    route(clockOperations.getClock, state),
    route(clockOperations.setClock, async ({ body: { mode, advance, to } }) => {
      const target = to === undefined ? clock.now() + (parseDuration(advance ?? 'PT0S') ?? 0) : Date.parse(to);
      if (to !== undefined && target < clock.now()) {
        throw new Refusal(409, { code: 'CLOCK_MOVES_FORWARD', message: 'The clock only moves forward.' });
      }
      if (!isRepresentable(target)) {
        throw new Refusal(422, { code: 'CLOCK_ENDS', message: 'The clock ends with the year 9999.' });
      }
      if (mode === 'frozen') clock.freeze();
      if (advance !== undefined || to !== undefined) await clock.advanceTo(target);
      if (mode === 'real') clock.resume();
      return state();
    }),
  ];
}

/** Milliseconds of an ISO 8601 duration in days, hours, minutes and seconds (`P1DT12H`); null for anything else. */
export function parseDuration(text: string): number | null {
  const [whole, days = 0, hours = 0, minutes = 0, seconds = 0] = durationPattern.exec(text) ?? [];
  if (whole === undefined) return null;
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}
