/** The operator's verbs while the data folder is somebody else's. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderInUse, lockFolder } from '../store/embedded.ts'
import { readConfig } from './config.ts'
import { serveControl } from './control-socket.ts'
import { reachOperator } from './reach-operator.ts'

const SERVICE = { version: '1', pid: 1, base_url: null, database: 'embedded', storage: 'fs' }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-reach-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a service that starts is waited for', async () => {
  const lock = lockFolder(folder)
  const reached = reachOperator(readConfig({ SONDE_DATA: folder }, folder))
  const call = async (verb: string): Promise<unknown> => (verb === 'holds' ? [] : SERVICE)
  const served = await serveControl(folder, { call, close: async () => undefined } as never, () => undefined)
  const operator = await reached
  expect(await operator.call('holds', {})).toEqual([])
  await operator.close()
  await served.close()
  lock.release()
})

test('what has the folder and never answers is named', async () => {
  const lock = lockFolder(folder)
  await expect(reachOperator(readConfig({ SONDE_DATA: folder }, folder), 300)).rejects.toThrow(FolderInUse)
  lock.release()
})
