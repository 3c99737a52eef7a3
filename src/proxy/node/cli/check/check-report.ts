export type Say = (line: string) => void;

/** Collects what `check` finds, so that the verdict comes first and what is well comes last. */
export class CheckReport {
  readonly #faults: (readonly string[])[] = [];
  readonly #warnings: string[] = [];
  readonly #findings: string[] = [];

  /** Takes one thing to try; what it says is a fault where it resolves to `false`. */
  async step(work: (say: Say) => boolean | Promise<boolean>): Promise<boolean> {
    const lines: string[] = [];
    const isWell = await work((line) => void lines.push(line));
    if (isWell) this.#findings.push(...lines);
    else this.#faults.push(lines);
    return isWell;
  }

  /** What is worth a look, and stops nothing. */
  warn(line: string): void {
    this.#warnings.push(line);
  }

  readonly say: Say = (line) => void this.#findings.push(line);

  get isWell(): boolean {
    return this.#faults.length === 0;
  }

  /** @param isProven whether the portal has taken an update */
  print(say: Say, isProven: boolean): void {
    const count = this.#faults.length;
    if (count > 0) say(`Verdict: not ready, ${count === 1 ? '1 thing' : `${String(count)} things`} to correct:`);
    else if (isProven) say('Verdict: ready. The portal has taken an update.');
    else say('Verdict: ready, as far as was tried. No update was sent: name an item with --send ID to prove one.');
    say('');
    this.#faults.flat().forEach(say);
    if (count > 0) say('');
    for (const warning of this.#warnings) say(`Warning: ${warning}`);
    if (this.#warnings.length > 0) say('');
    this.#findings.forEach(say);
  }
}
