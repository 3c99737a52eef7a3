/**
 * Styles are text to a bundler, which leaves it as it is written. One with an expression in it is left alone here, too.
 *
 * @param {string} code a module, as it is written or as the compiler leaves it
 * @returns {string} the same, without what only a reader of its styles needs
 */
export function denseStyles(code) {
  return code.replace(/\bcss ?`([^`]*)`/g, (whole, css) => (css.includes('${') ? whole : `css\`${dense(css)}\``));
}

function dense(css) {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>~]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/ \/ /g, '/')
    .replace(/(@media|@container) (?=\()/g, '$1')
    .replace(/\b0\./g, '.')
    .replace(/='([a-z][\w-]*)'\]/g, '=$1]')
    .replace(/ !important/g, '!important')
    .replace(/(?<=\() | (?=\))/g, '')
    .replace(/;}/g, '}')
    .trim();
}
