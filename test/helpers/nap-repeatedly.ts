import { sleep } from '@temporalio/workflow';

export async function napRepeatedly(naps: number): Promise<void> {
  for (let nap = 0; nap < naps; nap += 1) await sleep(20);
}
