import replyFrom from '@fastify/reply-from';
import fastify from 'fastify';

/** The usual proxy of the Fastify world: it checks nothing and stores nothing. */
const server = fastify({ bodyLimit: 64 * 1024 * 1024 });
// The body is passed on as it comes.
server.addContentTypeParser('application/json', (_request, body, done) => done(null, body));
await server.register(replyFrom, { base: process.env.UPSTREAM, undici: { connections: 64 } });
server.all('*', (request, reply) => reply.from(request.url));
await server.listen({ port: 0, host: '127.0.0.1' });
process.send({ port: server.server.address().port });
