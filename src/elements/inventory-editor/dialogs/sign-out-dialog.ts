import type { SignOutChoice, ToolsOfEditor } from '../editor-context.js';

/** Drafts of this visit, and of earlier ones that nobody has taken back. */
export function unsaved({ context, keeper }: ToolsOfEditor): number {
  return context.table.counts.changed + (keeper.offered?.count ?? 0);
}

/** Asks what becomes of edits that could not leave this device. */
export function askToSignOut(tools: ToolsOfEditor, unsent: number): Promise<SignOutChoice> {
  return new Promise((resolve) => {
    tools.panel((panels) => {
      panels.signOut(unsent, () => unsaved(tools), resolve);
    });
  });
}
