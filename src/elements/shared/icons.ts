import type { Truth } from '../../domain/edit-state.js';
import { css } from './stylesheet.js';
import { TRUTH_PATHS } from './truth-paths.js';

const SVG = 'http://www.w3.org/2000/svg';

export function truthIcon(truth: Truth): SVGSVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  const shape = document.createElementNS(SVG, 'path');
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.ariaHidden = 'true';
  shape.setAttribute('d', TRUTH_PATHS[truth]);
  icon.append(shape);
  return icon;
}

export const iconStyles = css`
  svg {
    flex: none;
    inline-size: 16px;
    block-size: 16px;
    margin-block-start: 2px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
`;
