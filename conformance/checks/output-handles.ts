/** The immediate answer of POST outputs and POST export. */
import { z } from 'zod';
import { operations } from '../../src/service/contract/index.ts';
import { describeStatus } from '../probe/read-response.ts';
import { CheckEnded } from '../probe/not-checked.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import type { Probe } from '../probe/probe.ts';
import { byOrder } from './path-parameters.ts';

export const outputAbout = 'POST outputs';

/** The fields of an output that the specification names. The contract checks the rest. */
export const handleSchema = z.looseObject({
  output_id: z.string(),
  export_job_id: z.string(),
  status: z.string(),
  created: z.boolean().optional(),
  idempotency_key: z.string().optional(),
});
type Handle = z.infer<typeof handleSchema>;

/** The status of the answer is assumed (A23), its fields are not. */
export async function requestOutput(
  probe: Probe,
  orderId: string,
  call: { body: unknown; idempotencyKey?: string },
): Promise<Handle> {
  const answer = await probe.send(operations.createOutput, { ...byOrder(orderId), ...call });
  const observation = `${outputAbout}: answered ${describeStatus(answer)}`;
  const { data: handle } = handleSchema.safeParse(answer.body);
  if (answer.status >= 300 || !handle) {
    probe.expect(false, `${observation}, must give output_id, export_job_id and status`);
    throw new CheckEnded();
  }
  if (answer.status !== 202) probe.note(`assumed A23: ${observation}`);
  probe.expect(valueAt(handle, ['output_id']) !== '', `${outputAbout}: output_id must not be empty`);
  return handle;
}
