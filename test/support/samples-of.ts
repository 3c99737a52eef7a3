/** The samples of a scrape in the Prometheus text format, by name with labels. */
export function samplesOf(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_]\w*(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
    if (name !== undefined) samples.set(name, Number(value));
  }
  return samples;
}
