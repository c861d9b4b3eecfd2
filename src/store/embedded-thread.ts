/** Runs PGlite: a query blocks its event loop, so it has a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Results } from '@electric-sql/pglite'
import { openEngine } from './embedded-engine.ts'
import type { FromThread, ToThread } from './embedded-protocol.ts'
import { type Answered, createStatements } from './embedded-statements.ts'
import { OID } from './values.ts'

if (!parentPort) throw new Error('This file is the body of a worker thread')
const port = parentPort
const say = (message: FromThread): void => port.postMessage(message)

const engine = await openEngine(String(workerData))
const statements = createStatements(engine)

const answer = async (message: ToThread): Promise<FromThread> => {
  const { id } = message
  if (message.type === 'listen') {
    await engine.listen(message.channel, (payload) => say({ type: 'notification', channel: message.channel, payload }))
    return { type: 'rows', id, rows: [], binary: [] }
  }
  if (message.type === 'close') {
    await engine.close()
    return { type: 'rows', id, rows: [], binary: [] }
  }
  if (message.begins) await rowsOf({ sql: 'begin', params: null })
  return { type: 'rows', id, ...(await rowsOf(message)) }
}

type Query = Pick<Extract<ToThread, { type: 'query' }>, 'sql' | 'params'>

const rowsOf = async (query: Query): Promise<Answered> =>
  (await statements.ask(query.sql, query.params ?? [])) ?? (await askOnce(query))

const askOnce = async ({ sql, params }: Query): Promise<Answered> => {
  const result: Results | undefined = params ? await engine.query(sql, [...params]) : (await engine.exec(sql)).at(-1)
  if (CHANGES.test(sql)) await statements.forget()
  const binary = (result?.fields ?? []).filter((field) => field.dataTypeID === OID.bytea).map((field) => field.name)
  return { rows: (result?.rows ?? []) as Record<string, unknown>[], binary }
}

/** Of tables: a migration's words, wherever they stand. */
const CHANGES = /\b(?:create|alter|drop)\s/i

/** Five characters as in https://www.postgresql.org/docs/15/errcodes-appendix.html; a system error's code is another. */
const sqlState = (error: unknown): string | null => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[0-9A-Z]{5}$/.test(code) ? code : null
}

// One after the other, in the order received: a transaction's statements arrive as single messages.
let last: Promise<void> = Promise.resolve()
port.on('message', (message: ToThread) => {
  last = last.then(async () => {
    try {
      say(await answer(message))
    } catch (error) {
      const code = sqlState(error)
      say({ type: 'error', id: message.id, code, message: error instanceof Error ? error.message : String(error) })
    }
    if (message.type === 'close') port.close()
  })
})
say({ type: 'ready' })
