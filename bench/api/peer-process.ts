/**
 * What the interface is measured against: bare Fastify on the same database that asks for the same rows, prepared, and answers the
 * same rows; no keys, limits, checks of what is asked, or headers. And one row by its key, and bare open responses.
 */
import { createHmac, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'
import { RUN_COLUMNS } from '../../src/store/run-row.ts'
import { memory, processorTime, type Spent, serveParent, settingsOf } from './children.ts'

const { url } = settingsOf<{ url: string }>()
const pool = new pg.Pool({ connectionString: url, max: 10 })
const streams = new Set<ServerResponse>()
const app = Fastify()

/** Of a row of the list, as a program reads it that has no cause to do it otherwise. */
const LIST_COLUMNS = `r.id, r.domain, r.tier, r.status, r.progress, r.counts, r.open_counts, r.retest_of,
  r.options->'hypothesis'->>'weakness' as hypothesis, r.baseline_run_id, r.created_at`

type Row = Record<string, string>

interface Ask {
  Params: { id: string }
  Querystring: { organisation: string; domain: string }
}

const ask = async (client: pg.Pool | pg.ClientBase, name: string, text: string, values: unknown[]): Promise<Row[]> => {
  statements += 1
  return (await client.query({ name, text, values })).rows
}
let statements = 0
const spent = async (): Promise<Spent> => ({ cpu: processorTime(), statements })

app.get<Ask>('/runs/:id', async ({ params }) => {
  const [row] = await ask(pool, 'one', 'select id, domain, status, progress, created_at from runs where id = $1', [
    params.id,
  ])
  return row
})
app.get<Ask>('/scans', async ({ query }) => {
  const items = await ask(
    pool,
    'list',
    `select ${LIST_COLUMNS} from runs r where r.organisation_id = $1 order by r.created_at desc, r.id desc limit $2`,
    [query.organisation, 26],
  )
  return { items: items.slice(0, 25), next_cursor: items.at(-1)?.id }
})
app.get<Ask>('/scans/:id', async ({ params, query }) => {
  const [row] = await ask(
    pool,
    'status',
    `select ${RUN_COLUMNS} from runs r where r.id = $2 and r.organisation_id = $1`,
    [query.organisation, params.id],
  )
  return row
})
app.get<Ask>('/scans/:id/url', async ({ params, query }, reply) => {
  const [row] = await ask(
    pool,
    'file',
    `select a.object_key, a.filename, a.content_type, a.watermarked, a.version, a.deleted_at, a.expires_at
       from artifacts a join runs r on r.id = a.run_id
      where r.id = $2 and r.organisation_id = $1 and a.kind = 'report_pdf' and a.module is null and a.stored_at is not null
        and (a.version is null or r.status = 'done')
      order by a.version desc nulls last, a.created_at desc limit 1`,
    [query.organisation, params.id],
  )
  if (row === undefined || row.deleted_at !== null || new Date(row.expires_at ?? 0) < new Date()) return reply.code(404)
  const { object_key, filename = '', content_type: type = '', watermarked, version } = row
  const expires = Math.floor(Date.now() / 1_000) + 300
  const text = [object_key, filename, type, expires].join('\n')
  const signature = createHmac('sha256', 'key').update(text).digest('base64url')
  const about = new URLSearchParams({ expires: String(expires), filename, type, signature })
  const url = `http://127.0.0.1/files/${object_key}?${about}`
  return { url, expires_at: new Date(expires * 1_000).toISOString(), filename, watermarked, version }
})
app.post<Ask>('/scans', async ({ query }, reply) => {
  const client = await pool.connect()
  try {
    statements += 2
    await client.query('begin')
    await ask(client, 'lock', 'select state, plan from organisations where id = $1 for no key update', [
      query.organisation,
    ])
    const [row] = await ask(
      client,
      'start',
      `insert into runs as r (id, organisation_id, domain_id, domain, tier, options, event_seq)
       select $1, d.organisation_id, d.id, d.domain, 'passive', $3, 1 from domains d where d.id = $4 and d.organisation_id = $2
       returning ${RUN_COLUMNS}, pg_notify('runs_queued', '')`,
      [randomUUID(), query.organisation, '{"active": false, "privacy": true}', query.domain],
    )
    await ask(client, 'event', `insert into events (run_id, seq, type, data) values ($1, 1, 'progress', $2)`, [
      row?.id,
      '{"phase":"queued","status":"queued","progress":0}',
    ])
    await client.query('commit')
    return reply.code(202).send(row)
  } finally {
    client.release()
  }
})
app.get('/stream', (_, reply) => {
  reply.hijack()
  reply.raw.writeHead(200, { 'Content-Type': 'text/event-stream' })
  reply.raw.write('retry: 3000\n\n')
  streams.add(reply.raw)
})
await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
const { port } = app.server.address() as AddressInfo
serveParent({ memory, spent }, async () => {
  for (const stream of streams) stream.destroy()
  app.server.closeAllConnections()
  await app.close()
  await pool.end()
}).ready({ port })
