import { createServer } from 'node:http';

/** What both peers forward to: takes the body, answers 202. */
const ANSWER = JSON.stringify({ receipts: [] });

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(202, { 'Content-Type': 'application/json', 'Content-Length': ANSWER.length }).end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
