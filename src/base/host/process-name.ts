import { hostname } from 'node:os';

/** `pid@host`: how Temporal lists this process. */
export function toProcessName(): string {
  return `${process.pid}@${hostname()}`;
}
