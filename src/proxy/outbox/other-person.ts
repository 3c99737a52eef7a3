/** Whose edit it is, in the words for display; nothing where it is the asker's own. */
export function otherPerson(
  made: { readonly subject: string; readonly name?: string | null | undefined },
  asker: string,
): { readonly by?: string } {
  return made.subject === asker ? {} : { by: made.name ?? made.subject };
}
