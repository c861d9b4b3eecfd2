/** Runs PGlite: a query blocks its event loop, so it has a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, type Results } from '@electric-sql/pglite'
import type { FromThread, ToThread } from './embedded-protocol.ts'
import { OID, parseNumber, parseTimestamp } from './values.ts'

if (!parentPort) throw new Error('This file is the body of a worker thread')
const port = parentPort
const say = (message: FromThread): void => port.postMessage(message)

const engine = await PGlite.create({
  dataDir: String(workerData),
  parsers: { [OID.int8]: parseNumber, [OID.numeric]: parseNumber, [OID.timestamptz]: parseTimestamp },
})

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
  const result: Results | undefined = message.params
    ? await engine.query(message.sql, [...message.params])
    : (await engine.exec(message.sql)).at(-1)
  const binary = (result?.fields ?? []).filter((field) => field.dataTypeID === OID.bytea).map((field) => field.name)
  return { type: 'rows', id, rows: (result?.rows ?? []) as Record<string, unknown>[], binary }
}

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
