import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { copyTemplate } from '../../tests/support/databases.ts'
import { until } from '../../tests/support/until.ts'
import { lockFolder } from './embedded.ts'
import { openDatabase } from './open-database.ts'

describe('the embedded database', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-lock-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('a second start on the same folder is refused with a sentence, in this process too', async () => {
    await copyTemplate(folder)
    const db = await openDatabase({ dataDir: folder })
    await expect(openDatabase({ dataDir: folder })).rejects.toThrow(
      `The data folder ${folder} is in use by another Sonde (process ${process.pid}). Stop it, or choose another folder.`,
    )
    await db.query('create table kept (n int)')
    await db.query('insert into kept values (1)')
    await db.close()
    const again = await openDatabase({ dataDir: folder })
    expect(await again.query('select n from kept')).toEqual([{ n: 1 }])
    await again.close()
  })

  test('a folder that is removed while the cluster is made ends the start with a sentence', {
    timeout: 70_000,
  }, async () => {
    let over = false
    const said = openDatabase({ dataDir: folder })
      .then(
        (db) => db.close().then(() => 'it opened'),
        (error: Error) => error.message,
      )
      .finally(() => {
        over = true
      })
    await until(() => {
      rmSync(join(folder, `db.making-${process.pid}`), { recursive: true, force: true })
      return over
    }, 60_000)
    expect(await said).toMatch(/stopped: something in .* was removed under it/)
  })

  test('what a start that was ended has left of a cluster is none', { timeout: 70_000 }, async () => {
    const left = join(folder, 'db.making-1')
    mkdirSync(left)
    writeFileSync(join(left, 'PG_VERSION'), '17\n')
    const db = await openDatabase({ dataDir: folder })
    // Made for one connection: see `NEW` of the engine.
    expect(await db.query('show wal_segment_size')).toEqual([{ wal_segment_size: '4MB' }])
    expect(await db.query('show shared_buffers')).toEqual([{ shared_buffers: '16MB' }])
    await db.close()
    expect(readdirSync(folder).filter((name) => name.startsWith('db'))).toEqual(['db'])
  })

  test('after close every query is refused', async () => {
    await copyTemplate(folder)
    const db = await openDatabase({ dataDir: folder })
    await db.close()
    await expect(db.query('select 1')).rejects.toThrow(/closed/)
    await expect(db.transaction((tx) => tx.query('select 1'))).rejects.toThrow(/closed/)
  })

  test('a query outside its transaction from inside is an error, not a deadlock', async () => {
    await copyTemplate(folder)
    const db = await openDatabase({ dataDir: folder })
    await expect(db.transaction(() => db.query('select 1'))).rejects.toThrow(/through its argument/)
    await expect(db.transaction(() => db.transaction(async () => 1))).rejects.toThrow(/do not nest/)
    expect(await db.query('select 1 as n')).toEqual([{ n: 1 }])
    await db.close()
  })

  test('a transaction begins with its first statement, by one message', async () => {
    await copyTemplate(folder)
    const db = await openDatabase({ dataDir: folder })
    const said = vi.spyOn(Worker.prototype, 'postMessage')
    try {
      for (const _ of [1, 2, 3]) {
        said.mockClear()
        const ids = await db.transaction(async (tx) => [
          await tx.query('select pg_current_xact_id()::text as id'),
          await tx.query('select pg_current_xact_id()::text as id'),
        ])
        expect(ids[0]).toEqual(ids[1])
        expect(said).toHaveBeenCalledTimes(3)
      }
    } finally {
      said.mockRestore()
      await db.close()
    }
  })

  describe('lock', () => {
    const holder = async (): Promise<ChildProcess> => {
      const script = `
        const { lockFolder } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)})
        // Held by something: what nobody holds is closed by the collector, and the lock with it.
        globalThis.lock = lockFolder(${JSON.stringify(folder)})
        console.log('locked')
        setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => child.stdout?.once('data', resolve))
      return child
    }
    const end = async (child: ChildProcess): Promise<void> => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }

    test('a live holder is named; one that was killed holds nothing', async () => {
      const child = await holder()
      expect(() => lockFolder(folder)).toThrow(`(process ${child.pid})`)
      await end(child)
      const lock = lockFolder(folder)
      expect(() => lockFolder(folder)).toThrow(`(process ${process.pid})`)
      lock.release()
      lockFolder(folder).release()
    })

    test('of many simultaneous starts after a crash, one gets it', async () => {
      await end(await holder())
      const attempts = Array.from({ length: 20 }, () => {
        try {
          return lockFolder(folder)
        } catch {
          return null
        }
      })
      const held = attempts.filter((lock) => lock !== null)
      expect(held).toHaveLength(1)
      for (const lock of held) lock.release()
    })
  })
})
