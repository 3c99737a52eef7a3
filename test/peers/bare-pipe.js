import { createServer } from 'node:http';
import { Pool } from 'undici';

/** As little as a proxy in Node can do: it checks nothing and stores nothing. */
const upstream = new Pool(process.env.UPSTREAM, { connections: 64 });

const server = createServer((request, response) => {
  const { connection, host, 'content-length': length, ...headers } = request.headers;
  upstream
    .stream(
      { path: request.url, method: request.method, headers: { ...headers, 'content-length': length }, body: request },
      (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        return response;
      },
    )
    .catch((error) => response.destroy(error));
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
