import type { ItemView, OtherValue } from '../../client/model/item-view.js';
import type { ConflictTexts, ToggleTexts } from '../../locales/dictionary.js';

type Side = { readonly [Fact in keyof OtherValue]?: OtherValue[Fact] | undefined };

/**
 * What it was, what was chosen here and what it is now, as far as that is known.
 *
 * @param isUnclaimed nobody knows who chose it here
 * @returns the name of each, and what is told of it: the value, since when, by whom
 */
export function conflictSides(
  view: ItemView,
  isUnclaimed: boolean,
  text: ToggleTexts & ConflictTexts,
  moment: (stamp: OtherValue['updated_at']) => string,
): (readonly [name: string, told: string])[] {
  const { available, updated_at, by, clicked_at, base, theirs } = view;
  const own: readonly [string, Side] = isUnclaimed
    ? [text.truth['on-device'], { available, updated_at }]
    : [by ?? text.you, { available, updated_at: clicked_at }];
  const sides: readonly (readonly [string, Side | undefined])[] = [[text.before, base], own, [text.now, theirs]];
  return sides.flatMap(([name, side]) => {
    if (side?.available === undefined) return [];
    const value = side.available ? text.available : text.notAvailable;
    return [[name, value + (side.updated_at === undefined ? '' : text.since(moment(side.updated_at), side.by))]];
  });
}
