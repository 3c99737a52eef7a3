/** The functions that are measured in turns. Each call returns a figure. */
export type Contestants<Name extends string> = Readonly<Record<Name, () => Promise<number>>>;

/**
 * Measures all contestants in turns, so that temporary load on the machine affects all of them. Each round has a random
 * order, because the after-effects of one, such as the cleanup of a page, affect the next one.
 * @returns the median figure of each
 */
export async function medianOfRounds<Name extends string>(
  rounds: number,
  contestants: Contestants<Name>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contestants) as Name[];
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(names)) {
      figures.get(name)?.push(await contestants[name]());
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name) ?? [])])) as Record<Name, number>;
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share between 0 and 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? NaN;
}
