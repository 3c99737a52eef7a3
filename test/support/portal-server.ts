import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { serve } from './serve.js';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The headers as they were sent, with the case of their names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PortalServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A portal at a real socket that gives these responses in turn, and then repeats the last one. */
export async function servePortal(t: TestContext, ...answers: readonly Answer[]): Promise<PortalServer> {
  const seen: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', rawHeaders } = request;
      const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
      seen.push({ method, path: url, headers: Object.fromEntries(pairs), body });
      answers[Math.min(seen.length, answers.length) - 1]?.(response, request);
    });
  };
  return { url: await serve(t, listener), seen };
}

/**
 * A local address at which no server listens: port 4 is assigned to no service, and no system gives it to a server that
 * asks for any free port, as a concurrent test may do.
 */
export const DEAD_ADDRESS = 'http://127.0.0.1:4';

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers }).end('{}');

export const body =
  (content: string | Uint8Array, type: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'Content-Type': type, ...headers }).end(content);

/** Sends the status 200 and the beginning of the body, and then closes the connection. */
export const cutShort: Answer = (response, request) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{', () => request.socket.destroy());
};

export const cutShortInChunks: Answer = (response, request) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{"status":"ok"}', () => request.socket.destroy());
};

/** A body that ends with the connection, as in HTTP/1.0: no header names its length. */
export const untilTheEnd =
  (content: string | Uint8Array, fields = ''): Answer =>
  (_, { socket }) => {
    socket.write(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n${fields}\r\n`);
    socket.end(content);
  };

export const hangUp: Answer = (_, request) => {
  request.socket.destroy();
};

export const neverAnswer: Answer = () => undefined;

/** A body without end. @param stopped called when the client closes the connection */
export function endless(stopped: () => void): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const piece = Buffer.alloc(64 * 1024, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more).once('close', stopped);
    more();
  };
}
