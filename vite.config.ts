import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** The content of this file never changes, so host pages can pin it with `integrity`, and browsers cache it for a year. */
const SCRIPT = `widget-${version}.js`;

/**
 * Emits the files that a page loads:
 *
 * - `widget.js`, whose address does not change: a few bytes that import the newest script.
 * - `widget.classic.js`, the same for pages that use classic scripts. It is served as it is in the source.
 * - The script, whose content never changes, so that a host page can pin it by its integrity.
 * - Parts that are loaded on demand, divided by the tasks of a person. A page that pins the script pins them too: the
 *   browser checks each part against the hash that the script contains (`modulepreload`, HTML standard, section 4.6.7)
 *   before it runs it.
 */
function widgetFiles(): Plugin {
  return {
    name: 'widget-files',
    generateBundle(_options, bundle) {
      this.emitFile({ type: 'asset', fileName: 'widget.js', source: `export*from"./${SCRIPT}";\n` });
      const classic = readFileSync(new URL('src/widget.classic.js', import.meta.url), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'widget.classic.js', source: classic });
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
      for (const { fileName, isEntry, imports } of chunks) {
        const unchecked = isEntry ? imports : imports.filter((name) => name !== SCRIPT);
        if (unchecked.length > 0)
          throw new Error(`${fileName} imports ${unchecked.join()}, which no browser would check`);
      }
      // The parts come first, because the script contains their hashes.
      for (const chunk of chunks.sort((a, b) => Number(a.isEntry) - Number(b.isEntry))) nameHashes(chunk, bundle);
      chunks.forEach(assertSize);
    },
  };
}

function nameHashes(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): void {
  const hashes = new Map<string, string>();
  chunk.code = chunk.code.replace(/\bimport\((["'`])(\.[^"'`]+)\1\)/g, (_call, _quote: string, path: string) => {
    const part = bundle[new URL(path, `file:///${chunk.fileName}`).pathname.slice(1)];
    if (part?.type !== 'chunk') throw new Error(`${chunk.fileName} imports ${path}, which is no part of the build`);
    if (part.dynamicImports.length > 0)
      throw new Error(`${part.fileName} would have to be hashed before its own parts`);
    hashes.set(part.fileName, createHash('sha256').update(part.code).digest('base64').slice(0, HASH_LETTERS));
    return `__part("${path}",${String([...hashes.keys()].indexOf(part.fileName))})`;
  });
  if (hashes.size !== chunk.dynamicImports.length)
    throw new Error(`${chunk.fileName} imports a part in a way that is not seen`);
  if (hashes.size > 0) chunk.code += loadPart([...hashes.values()].join(''));
  if (chunk.isEntry) chunk.code = COMPILE_AT_ONCE + chunk.code;
}

/**
 * Makes V8 compile the whole script while it loads. Otherwise it would compile each function at its first call, when a page
 * opens an editor later.
 */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad\n';

/** The length of a SHA-256 in base64, without the `=` at its end. */
const HASH_LETTERS = 43;

/**
 * The function that loads a part. It never runs a part whose hash is wrong. After a network failure the part can be
 * requested again under another address, because a page does not fetch a failed module twice (HTML standard, "fetch a
 * single module script"; Chromium 150 does not, 156 does). Concurrent requests for an address share one fetch: a second one
 * that began before the failure was known would also fail. The hashes are one string at the end of the file, which costs a
 * hundred bytes less than hashes scattered in the code.
 */
const loadPart = (hashes: string): string =>
  `function __part(p,h){const u=new URL(p+(__part[p]||""),import.meta.url).href;return __part[u]||=new Promise((y,n)=>{const l=document.createElement("link"),g=()=>{l.remove();import(u).then(y,l.onerror)};l.onerror=cause=>{__part[p]=(__part[p]||"?")+1;l.remove();n(new TypeError(u,{cause}))};if(!l.relList.supports("modulepreload"))return g();l.rel="modulepreload";l.crossOrigin="anonymous";l.integrity="sha256-"+"${hashes}".substr(h*${String(HASH_LETTERS)},${String(HASH_LETTERS)})+"=";l.href=u;l.onload=g;document.head.append(l)})}\n`;

/**
 * The maximum sizes in bytes after Brotli compression.
 *
 * - The script: Lit, ky for the calls, zod for responses and stored rows, both elements with all that their first use needs
 *   (such as dragging and swiping the switch), the hashes of two files for each language (the texts of every visit, and
 *   those of the features), decisions about rejected edits, and the distinction of a wrong setup from an ended session.
 * - Editing, in one file: dialogs, previews that name the items, the question before a sign-out, sortable column headers,
 *   groups, and an item's details.
 * - The history: its filters, the preview of an undo, and the list of an item's changes.
 * - Lists: a parser of comma-separated values and the dialog.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  [SCRIPT]: 60_000,
  [`assets/editing-${version}.js`]: 27_500,
  [`assets/history-part-${version}.js`]: 8_000,
  [`assets/lists-part-${version}.js`]: 13_000,
};
const PART_BUDGET = 6_000;

function assertSize({ fileName, code }: Rolldown.OutputChunk): void {
  const bytes = brotliCompressSync(code).length;
  const budget = BUDGETS[fileName] ?? PART_BUDGET;
  if (bytes > budget) {
    throw new Error(
      `${fileName} has ${String(bytes)} bytes (brotli), over the budget of ${String(budget)}: ` +
        'find what came in, load it on demand, or leave it out.',
    );
  }
  process.stdout.write(`${fileName}: ${String(bytes)} of ${String(budget)} bytes (brotli)\n`);
}

/**
 * Papa Parse is published as CommonJS only. As a module it does not need the runtime of the bundler, a further file that no
 * browser would check.
 */
function papaparseAsModule(): Plugin {
  return {
    name: 'papaparse-as-module',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/node_modules/papaparse/')) return undefined;
      return `const module = { exports: {} }, exports = module.exports;\n${code}\nexport default module.exports;`;
    },
  };
}

/** Styles are templates, whose comments the minifier keeps. */
function stylesWithoutComments(): Plugin {
  return {
    name: 'styles-without-comments',
    enforce: 'pre',
    transform(code, id) {
      const hasStyles = id.includes('/src/elements/') && code.includes('css`');
      return hasStyles ? code.replace(/\/\*.*?\*\//gs, '') : undefined;
    },
  };
}

const ENTRY = 'src/widget.ts';
const ARABIC = /\/src\/locales\/(editor-)?ar\.ts$/;
const inScript = new Set<string>();

/**
 * Names the file of a module. The script contains everything that it imports statically, including modules that a part
 * shares with it, because the browser does not check the hash of a statically imported file. The texts of a language are
 * one file.
 */
function nameGroup(id: string, modules: Rolldown.ChunkingContext): string | null {
  if (inScript.size === 0) {
    const add = (module: string): void => {
      if (inScript.has(module)) return;
      inScript.add(module);
      modules.getModuleInfo(module)?.importedIds.forEach(add);
    };
    add(fileURLToPath(new URL(ENTRY, import.meta.url)));
  }
  if (inScript.has(id)) return 'script';
  return ARABIC.test(id) ? 'ar' : null;
}

export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/widget',
    emptyOutDir: true,
    target: 'es2022',
    // The licenses of the bundled packages require that their notices are passed on.
    license: { fileName: 'licenses.md' },
    lib: { entry: ENTRY, formats: ['es'], fileName: () => SCRIPT },
    rolldownOptions: {
      // A module that a part shares with the script stays in the script.
      preserveEntrySignatures: 'allow-extension',
      // Annotations for bundlers have no use after the build.
      output: {
        minify: true,
        comments: { annotation: false },
        chunkFileNames: `assets/[name]-${version}.js`,
        codeSplitting: { groups: [{ name: nameGroup, debugName: 'script' }] },
      },
    },
  },
  plugins: [papaparseAsModule(), stylesWithoutComments(), widgetFiles()],
});
