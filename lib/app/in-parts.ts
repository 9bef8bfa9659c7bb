/**
 * Works on items a few at the same time, one part after the other, and returns the results in their order.
 * @throws what the work throws; the parts after it are not begun
 */
export async function inParts<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let i = 0; i < items.length; i += size) done.push(...(await Promise.all(items.slice(i, i + size).map(work))));
  return done;
}
