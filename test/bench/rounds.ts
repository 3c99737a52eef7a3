/** What is measured in turns: a figure for each turn. */
export type Contestants<Name extends string> = Readonly<Record<Name, () => Promise<number>>>;

/**
 * Measures all contestants in turns, so that a machine that is busy for a while is busy for all of them; each round starts
 * with another one.
 * @returns the median figure of each
 */
export async function medianOfRounds<Name extends string>(
  rounds: number,
  contestants: Contestants<Name>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contestants) as Name[];
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      figures.get(name)?.push(await contestants[name]());
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name) ?? [])])) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share between 0 and 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? NaN;
}
