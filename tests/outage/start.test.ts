/** Processes that are started before their database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPostgresDatabase } from '../support/postgres.ts'
import { type Env, start, startWorkerProcess } from '../support/sonde.ts'
import { until } from '../support/until.ts'
import { openRelay, type Relay } from './relay.ts'

const DEADLINE = 150_000
let folder = ''
let relay: Relay
let env: Env
let drop: () => Promise<void>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-start-'))
  const made = await createPostgresDatabase()
  drop = made.drop
  const url = new URL(made.url.replace('@/', '@x/'))
  relay = await openRelay({ path: `${url.searchParams.get('host')}/.s.PGSQL.5432` })
  await relay.refuse()
  env = {
    SONDE_DATA: join(folder, 'data'),
    DATABASE_URL: `postgres://sonde@127.0.0.1:${relay.port}${url.pathname}`,
    SONDE_SECRET_KEY: 'ab'.repeat(32),
  }
})
afterEach(async () => {
  await relay.close()
  await drop()
  rmSync(folder, { recursive: true, force: true })
})
const WAITING = /the database does not answer; waiting for it/

test('a worker waits, says so once, and begins when the database is there', { timeout: 3 * DEADLINE }, async () => {
  const worker = startWorkerProcess(env)
  await until(() => WAITING.test(worker.log()), DEADLINE)
  await relay.restore()
  await until(() => worker.log().includes('worker ready'), DEADLINE)
  expect(worker.log().match(new RegExp(WAITING, 'g'))).toHaveLength(1)
  expect(await worker.end()).toBe(0)
})

test.each(['worker', 'serve'])(
  '%s that is told to stop while it waits leaves with 0',
  { timeout: 3 * DEADLINE },
  async (word) => {
    const child = start(word === 'serve' ? ['serve', '--port', '0'] : ['worker'], env)
    let log = ''
    child.stdout.resume()
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk
    })
    const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await until(() => WAITING.test(log), DEADLINE)
    child.kill('SIGTERM')
    expect(await gone, log).toBe(0)
  },
)

test('a wrong name of a database is no reason to wait', { timeout: 3 * DEADLINE }, async () => {
  await relay.restore()
  const worker = startWorkerProcess({ ...env, DATABASE_URL: `${env.DATABASE_URL}_nothing` })
  await until(() => worker.child.exitCode !== null, DEADLINE)
  expect(worker.child.exitCode).not.toBe(0)
  expect(worker.log()).toContain('does not exist')
  expect(worker.log()).not.toMatch(WAITING)
})
