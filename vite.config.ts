import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** Its content never changes, so that host pages can pin it with `integrity` and browsers keep it for a year. */
const SCRIPT = `widget-${version}.js`;

/**
 * The files that a page loads:
 *
 * - `widget.js`, the one address that does not change: a few bytes that name the newest script.
 * - `widget.classic.js`, the same for pages whose scripts are no modules. It is served as it is written.
 * - The script, whose content never changes, so that a host page can pin it by its integrity.
 * - Parts on demand, cut along what a person does. A page that pins the script pins them too: the browser checks each against
 *   the hash that the script names (`modulepreload`, HTML standard, section 4.6.7), and only then is it run.
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
      // Parts first: the script names their hashes.
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

/** V8 compiles all of it while it comes in, and not each function when an editor that a page opens later first calls it. */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad\n';

/** Of a SHA-256 in base64, without the `=` that ends each. */
const HASH_LETTERS = 43;

/**
 * A part that is not what it should be is never run. One that the network lost can be asked for again, by another address:
 * a page keeps a module that failed as failed (HTML standard, "fetch a single module script"; Chromium 150 does, 156 does not).
 * An address is asked for once, however many wait for it: who asked again before it had heard of a failure would meet it.
 * The hashes stand together at the end, where they cost a hundred bytes less than scattered in the code.
 */
const loadPart = (hashes: string): string =>
  `function __part(p,h){const u=new URL(p+(__part[p]||""),import.meta.url).href;return __part[u]||=new Promise((y,n)=>{const l=document.createElement("link"),g=()=>{l.remove();import(u).then(y,l.onerror)};l.onerror=cause=>{__part[p]=(__part[p]||"?")+1;l.remove();n(new TypeError(u,{cause}))};if(!l.relList.supports("modulepreload"))return g();l.rel="modulepreload";l.crossOrigin="anonymous";l.integrity="sha256-"+"${hashes}".substr(h*${String(HASH_LETTERS)},${String(HASH_LETTERS)})+"=";l.href=u;l.onload=g;document.head.append(l)})}\n`;

/**
 * Brotli bytes. Those of the script buy Lit, ky for every call, zod for every answer and stored row, both elements with all
 * that their first use needs, a switch that is dragged and swiped, the hashes of two files for each language (what every visit
 * says, and what the features say that most visits never open), decisions and refusals that wait for no further file, and
 * telling a wrong setup from a person who is signed out. Those of editing buy the whole of it in one file: dialogs, previews that name the items,
 * the question before signing out that lists what would be lost, heads of columns that sort, groups, and an item's details.
 * Those of the history buy its filters, the preview of an undo, and the list of an item's changes.
 * Those of lists buy a parser of comma-separated values and the dialog.
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

/** Papa Parse is CommonJS alone. As a module it needs no runtime of the bundler, which would be a file that no browser checks. */
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

const ENTRY = 'src/widget.ts';
const ARABIC = /\/src\/locales\/(editor-)?ar\.ts$/;
const inScript = new Set<string>();

/**
 * The file of a module. The script has everything that it imports statically, also what a part shares with it: what the script
 * imports from another file has no hash that a browser would check. One file has a language.
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
    // What is bundled may be passed on with its notices alone.
    license: { fileName: 'licenses.md' },
    lib: { entry: ENTRY, formats: ['es'], fileName: () => SCRIPT },
    rolldownOptions: {
      // What a part shares with the script stays in the script.
      preserveEntrySignatures: 'allow-extension',
      // Notes for a bundler have done their work by now.
      output: {
        minify: true,
        comments: { annotation: false },
        chunkFileNames: `assets/[name]-${version}.js`,
        codeSplitting: { groups: [{ name: nameGroup, debugName: 'script' }] },
      },
    },
  },
  plugins: [papaparseAsModule(), widgetFiles()],
});
