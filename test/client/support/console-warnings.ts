import { afterThisTest } from './clean-up.js';

/**
 * Collects the warnings of the page from now on, one line each, and keeps them off the console.
 *
 * @param from the beginning of the collected lines: the store of an earlier test may still log why its proxy did not
 *   respond
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
