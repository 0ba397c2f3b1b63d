/** null when it takes longer. Nobody ends it: what it asked may still come. */
export async function withTimeout<T>(asked: Promise<T>, milliseconds: number): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), milliseconds);
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}
