import { describeSystemCode, systemCodeOf } from './system-code.ts';

/** For logs: messages of unexpected errors may contain personal data. An error of the operating system in words: `the disk is full (ENOSPC)`. */
export function errorName(error: unknown): string {
  const code = systemCodeOf(error);
  if (code !== null && describeSystemCode(code) !== code) return describeSystemCode(code);
  return error instanceof Error ? error.name : 'unknown error';
}
