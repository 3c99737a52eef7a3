export type WriteLine = (line: string) => void;

/** Collects the results of `check`, so that the verdict is printed first and what is right last. */
export class CheckReport {
  readonly #faults: (readonly string[])[] = [];
  readonly #warnings: string[] = [];
  readonly #findings: string[] = [];

  /** Runs one trial. The lines that it writes are faults if it resolves to `false`. */
  async step(work: (writeLine: WriteLine) => boolean | Promise<boolean>): Promise<boolean> {
    const lines: string[] = [];
    const isWell = await work((line) => void lines.push(line));
    if (isWell) this.#findings.push(...lines);
    else this.#faults.push(lines);
    return isWell;
  }

  /** Adds a warning, which does not make the verdict negative. */
  warn(line: string): void {
    this.#warnings.push(line);
  }

  readonly writeLine: WriteLine = (line) => void this.#findings.push(line);

  get isWell(): boolean {
    return this.#faults.length === 0;
  }

  /** @param isVerified whether the portal has accepted an update */
  print(writeLine: WriteLine, isVerified: boolean): void {
    const count = this.#faults.length;
    if (count > 0) writeLine(`Verdict: not ready, ${count === 1 ? '1 thing' : `${String(count)} things`} to correct:`);
    else if (isVerified) writeLine('Verdict: ready. The portal has taken an update.');
    else
      writeLine('Verdict: ready, as far as was tried. No update was sent: name an item with --send ID to prove one.');
    writeLine('');
    this.#faults.flat().forEach(writeLine);
    if (count > 0) writeLine('');
    for (const warning of this.#warnings) writeLine(`Warning: ${warning}`);
    if (this.#warnings.length > 0) writeLine('');
    this.#findings.forEach(writeLine);
  }
}
