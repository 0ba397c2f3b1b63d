/** For logs: messages of unexpected errors may contain personal data. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
