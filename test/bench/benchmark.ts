/** A measurement and its targets. */
export interface Benchmark {
  readonly name: string;
  readonly title: string;
  run(): Promise<readonly Finding[]>;
}

export interface Finding {
  readonly what: string;
  /** A ratio of two figures of the same interleaved run. */
  readonly ratio: number;
  readonly target: { readonly atLeast: number } | { readonly atMost: number } | undefined;
  /** A value beyond the target that we aim for. */
  readonly aim?: number;
  /** The absolute figures of the ratio, which depend on the machine. */
  readonly figures: string;
}

export function isMissed({ ratio, target }: Finding): boolean {
  if (target === undefined) return false;
  return 'atLeast' in target ? !(ratio >= target.atLeast) : !(ratio <= target.atMost);
}

export function describeFinding(finding: Finding): string {
  const { what, ratio, target, aim, figures } = finding;
  const verdict = target === undefined ? '      ' : isMissed(finding) ? 'MISSED' : 'ok    ';
  const wanted =
    target === undefined ? '' : 'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
  const line = `${verdict} ${what.padEnd(58)} ${ratio.toFixed(2).padStart(7)} x  ${wanted.padEnd(13)}`;
  return `${line} ${aim === undefined ? '' : `aim ${aim}`.padEnd(9)} ${figures}`.trimEnd();
}
