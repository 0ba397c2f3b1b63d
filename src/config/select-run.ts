import type { Config } from './config.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

/** The configuration as one run uses it: that run, its exclusions, and the systems. */
export function selectRun(config: Config, name: string): Config {
  const run = getOwnProperty(config.runs, name);
  const exclusions = Object.entries(config.exclusions).filter(([exclusion]) => run?.exclusions.includes(exclusion));
  // The receiver is another process, and no run waits for it.
  const replies = { ...config.replies, secrets: [] };
  const orderStatus = { ...config.orderStatus, secrets: [] };
  const runs = run === undefined ? {} : { [name]: run };
  return { ...config, runs, exclusions: Object.fromEntries(exclusions), replies, orderStatus };
}
