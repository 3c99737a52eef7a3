import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { denseStyles } from '../../.ci/dense-styles.js';

describe('styles as they are published', () => {
  it('have no comment, no line break and no last semicolon', () => {
    const code =
      'const styles = css `\n  /* Why\n  not. */\n  .a > b,\n  i {\n    color: red;\n    gap: 1px 2px;\n  }\n`;\n';

    assert.equal(denseStyles(code), 'const styles = css`.a>b,i{color:red;gap:1px 2px}`;\n');
  });

  it('keep the spaces that mean something', () => {
    const code = 'css`\n  .a :hover {\n    inline-size: calc(100% - 32px);\n    font: 400 1px x;\n  }\n`';

    assert.equal(denseStyles(code), 'css`.a :hover{inline-size:calc(100% - 32px);font:400 1px x}`');
  });

  it('have no quotes around words, and no space or zero that says nothing', () => {
    const code =
      "css`\n  :host([density='compact']) i {\n    opacity: 0.6 !important;\n    font: 1px / 1.4 x;\n    clip-path: path(\n      evenodd,\n      'M0 10.4z'\n    );\n  }\n`";

    assert.equal(
      denseStyles(code),
      "css`:host([density=compact]) i{opacity:.6!important;font:1px/1.4 x;clip-path:path(evenodd,'M0 10.4z')}`",
    );
  });

  it('have no space behind the name of a condition, and keep the one that joins two', () => {
    const code = 'css`\n  @media (hover) and (pointer: fine) {\n    i {\n      gap: 1px;\n    }\n  }\n`';

    assert.equal(denseStyles(code), 'css`@media(hover) and (pointer:fine){i{gap:1px}}`');
  });

  it('stay as they are where an expression is in them', () => {
    const code = 'css`\n  .a {\n    gap: ${wide ? `1px; x` : `2px`};\n  }\n`';

    assert.equal(denseStyles(code), code);
  });

  it('are all that changes in a module', () => {
    const code = 'const text = `a,   b;   c`;\nconst markup = html`<p>  a;  b </p>`;\n';

    assert.equal(denseStyles(code), code);
  });
});
