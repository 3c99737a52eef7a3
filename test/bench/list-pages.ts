import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { bulkSession } from './bulk-session.js';

const ROOT = join(import.meta.dirname, '../..');

/** Serves the pages, our built script, and a fake proxy without items. */
export async function serveLists(): Promise<Server> {
  const scripts = new Map<string, string>();
  for (const name of ['list-driver', 'plain-list', 'tanstack-list', 'our-list']) {
    scripts.set(`/${name}.js`, await bundle(join(ROOT, 'test/peers', `${name}.js`)));
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    void answer(path, scripts).then(([status, type, body]) => {
      response.writeHead(status, { 'Content-Type': type }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function answer(path: string, scripts: ReadonlyMap<string, string>): Promise<[number, string, string]> {
  const script = scripts.get(path);
  if (script !== undefined) return [200, 'text/javascript', script];
  if (path.endsWith('.html')) {
    const kind = path === '/ours.html' ? 'our' : path.slice(1, -5);
    return [200, 'text/html', PAGE.replace('KIND', kind)];
  }
  if (path.endsWith('/v1/session')) return [200, 'application/json', JSON.stringify(bulkSession())];
  if (path.endsWith('/v1/inventory')) return [200, 'application/json', '{"inventory":[],"revision":1}'];
  if (path.startsWith('/widget/') && path.endsWith('.js')) {
    const file = join(ROOT, 'dist', path);
    return [200, 'text/javascript', await readFile(file, 'utf8')];
  }
  return [404, 'text/plain', ''];
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>list</title>
<style>body{margin:0;font:16px system-ui}</style><body>
<script type="module" src="/KIND-list.js"></script><script type="module" src="/list-driver.js"></script></body></html>`;

async function bundle(entry: string): Promise<string> {
  const result = (await build({
    logLevel: 'error',
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    root: join(ROOT, 'test/peers'),
    build: {
      write: false,
      minify: true,
      rolldownOptions: { external: [/^\/widget\//] },
      lib: { entry, formats: ['es'], fileName: 'list' },
    },
  })) as Rolldown.RolldownOutput[];
  const [output] = Array.isArray(result) ? result : [result];
  return output?.output.find((part) => part.type === 'chunk')?.code ?? '';
}
