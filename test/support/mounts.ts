import { createServer, type Server } from 'node:http';
import type { TestContext } from 'node:test';
import { serve as serveHono } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import type { InventoryProxy } from '../../src/proxy/options.js';
import { nodeListener } from '../../src/proxy/node/server/node-listener.js';
import { addressOf } from './serve.js';

export const OWN_ANSWER = 'the host itself';

/**
 * Mounts a proxy whose `basePath` is `/inventory` in a server that also has a page of its own, `/own`. A test compares the
 * code in mounting.md with the code here.
 *
 * @returns the server's address
 */
export type Mount = (proxy: InventoryProxy, t: TestContext) => Promise<string>;

declare global {
  var inventory: InventoryProxy;
}

export const MOUNTS: Readonly<Record<string, Mount>> = {
  'node:http': (proxy, t) => {
    const inventory = nodeListener(proxy);
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/inventory/')) inventory(request, response);
      else answerOwn(request.url, response);
    });
    return addressOf(t, server.listen(0, '127.0.0.1'));
  },

  'Express 5': (proxy, t) => {
    const app = express();
    app.use('/inventory', nodeListener(proxy));
    app.get('/own', (_request, response) => void response.send(OWN_ANSWER));
    return addressOf(t, app.listen(0, '127.0.0.1'));
  },

  'Express 5 behind a body parser and headers for everybody': (proxy, t) => {
    const app = express();
    app.use((_request, response, next) => {
      response.set('Access-Control-Allow-Origin', '*');
      next();
    });
    app.use(express.json({ limit: '1mb' }));
    app.use('/inventory', nodeListener(proxy));
    app.get('/own', (_request, response) => void response.send(OWN_ANSWER));
    return addressOf(t, app.listen(0, '127.0.0.1'));
  },

  'Express 5 below a router': (proxy, t) => {
    const app = express();
    const router = express.Router();
    router.use(nodeListener(proxy));
    app.use('/inventory', router);
    app.get('/own', (_request, response) => void response.send(OWN_ANSWER));
    return addressOf(t, app.listen(0, '127.0.0.1'));
  },

  'Fastify 5': async (proxy, t) => {
    const app = fastify({ forceCloseConnections: true });
    const inventory = nodeListener(proxy);
    app.register((scope, _options, done) => {
      // The proxy reads bodies itself.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
      scope.all('/inventory/*', (request, reply) => {
        reply.hijack();
        inventory(request.raw, reply.raw);
      });
      done();
    });
    app.get('/own', () => OWN_ANSWER);
    t.after(() => app.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  },

  'Hono 4': (proxy, t) => {
    const app = new Hono();
    app.all('/inventory/*', (context) => proxy.fetch(context.req.raw));
    app.get('/own', (context) => context.text(OWN_ANSWER));
    return addressOf(t, serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
  },

  // Next.js itself is 300 MB of tools, so only the interface that it calls is mounted here: a function for each method. Its
  // build imports the module before there is a proxy.
  'a Next.js route handler': (proxy, t) => {
    const handle = (request: Request) => globalThis.inventory.fetch(request);
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
    const route = new Map(methods.map((method) => [method, handle]));
    globalThis.inventory = proxy;
    const app = new Hono();
    app.all('/inventory/*', ({ req }) => route.get(req.method)?.(req.raw) ?? new Response(null, { status: 405 }));
    app.get('/own', (context) => context.text(OWN_ANSWER));
    return addressOf(t, serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
  },
};

function answerOwn(url: string | undefined, response: { writeHead(status: number): unknown; end(text: string): void }) {
  response.writeHead(url === '/own' ? 200 : 404);
  response.end(url === '/own' ? OWN_ANSWER : 'not found');
}
