import { afterThisTest } from './clean-up.js';

/**
 * Collects the warnings of the page from now on, one line for each, in place of the console.
 *
 * @param from how the lines begin. The store of an earlier test may still explain why its proxy did not answer.
 */
export function hearWarnings(from = ''): string[] {
  const heard: string[] = [];
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    const line = words.map((word) => (word instanceof Element ? `<${word.localName}>` : String(word))).join(' ');
    if (line.startsWith(from)) heard.push(line);
  };
  afterThisTest(() => {
    console.warn = warn;
  });
  return heard;
}
