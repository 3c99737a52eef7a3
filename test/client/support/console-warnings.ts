import { afterThisTest } from './clean-up.js';

/** What the page says on the console from now on, one line for each warning, instead of saying it there. */
export function hearWarnings(): string[] {
  const heard: string[] = [];
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    heard.push(words.map((word) => (word instanceof Element ? `<${word.localName}>` : String(word))).join(' '));
  };
  afterThisTest(() => {
    console.warn = warn;
  });
  return heard;
}
