/** null when `asked` takes longer. It is not cancelled. */
export async function orNullAfter<T>(asked: Promise<T>, milliseconds: number): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), milliseconds);
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}
