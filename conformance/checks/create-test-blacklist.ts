import { operations, type Blacklist } from '../../src/contract/index.ts';
import type { Facts } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';

/** A further blacklist of this run. */
export function createTestBlacklist(probe: Probe, { namePrefix }: Facts, name: string): Promise<Blacklist> {
  return probe.ask(operations.createBlacklist, 201, { body: { name: `${namePrefix} ${name}` } });
}
