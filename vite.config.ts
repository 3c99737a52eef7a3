import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** The same bytes under a name that never changes its content, for `integrity` on host pages. */
function versionedCopy(): Plugin {
  return {
    name: 'versioned-copy',
    generateBundle(_options, bundle) {
      const widget = bundle['widget.js'];
      if (widget?.type !== 'chunk') throw new Error('the build made no widget.js');
      this.emitFile({ type: 'asset', fileName: `widget-${version}.js`, source: widget.code });
    },
  };
}

export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/widget',
    emptyOutDir: true,
    target: 'es2022',
    lib: { entry: 'src/widget.ts', formats: ['es'], fileName: () => 'widget.js' },
    rolldownOptions: { output: { minify: true } },
  },
  plugins: [versionedCopy()],
});
