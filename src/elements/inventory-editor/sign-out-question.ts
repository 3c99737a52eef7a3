import type { SignOutChoice, ToolsOfEditor } from './editor-context.js';

/** Asks what becomes of edits that could not leave this device. */
export function askToSignOut(tools: ToolsOfEditor, unsent: number): Promise<SignOutChoice> {
  return new Promise((resolve, reject) => {
    tools
      .panel((panels) => {
        panels.signOut(unsent, resolve);
      })
      .then((isOpen) => {
        // Nobody was asked.
        if (!isOpen) resolve('stay');
      }, reject);
  });
}
