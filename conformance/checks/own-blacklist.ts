import { operations, type Blacklist } from '../../src/contract/index.ts';
import type { Facts } from '../facts.ts';
import type { Probe } from '../probe.ts';

/** A further blacklist of this run. */
export function createOwn(probe: Probe, { mark }: Facts, name: string): Promise<Blacklist> {
  return probe.ask(operations.createBlacklist, 201, { body: { name: `${mark} ${name}` } });
}
