/** What the interface is measured against: bare Fastify with one query by primary key, and bare open responses. */
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'
import { memory, serveParent, settingsOf } from './children.ts'

const { url } = settingsOf<{ url: string }>()
const pool = new pg.Pool({ connectionString: url, max: 10 })
const streams = new Set<ServerResponse>()
const app = Fastify()
app.get<{ Params: { id: string } }>('/runs/:id', async ({ params }) => {
  const { rows } = await pool.query('select id, domain, status, progress, created_at from runs where id = $1', [
    params.id,
  ])
  return rows[0]
})
app.get('/stream', (_, reply) => {
  reply.hijack()
  reply.raw.writeHead(200, { 'Content-Type': 'text/event-stream' })
  reply.raw.write('retry: 3000\n\n')
  streams.add(reply.raw)
})
await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
const { port } = app.server.address() as AddressInfo
serveParent({ memory }, async () => {
  for (const stream of streams) stream.destroy()
  app.server.closeAllConnections()
  await app.close()
  await pool.end()
}).ready({ port })
