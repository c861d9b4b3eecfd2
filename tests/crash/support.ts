import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { hasEnded } from '../../src/contract/run.ts'
import { listArtifacts } from '../../src/store/artifacts.ts'
import type { Database } from '../../src/store/database.ts'
import { read, readAuditTexts } from '../../src/store/events.ts'
import { allFindings } from '../../src/store/findings.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { readObject } from '../support/folder-storage.ts'
import { until } from '../support/until.ts'
import type { FromService, ToService } from './process.ts'

export const KILLS = process.env.SONDE_LONG ? 25 : 1
/** Milliseconds for a whole crash test, against a hang: a start of the service takes ten times as long where much else runs. */
export const TIME = 120_000 + KILLS * 60_000

export interface Folders {
  readonly objects: string
  readonly marks: string
  readonly data: string
  readonly remove: () => void
}

export const makeFolders = (): Folders => {
  const root = mkdtempSync(join(tmpdir(), 'sonde-crash-'))
  const [objects, marks, data] = ['objects', 'marks', 'data'].map((name) => join(root, name))
  if (!objects || !marks || !data) throw new Error('unreachable')
  for (const folder of [objects, marks]) mkdirSync(folder)
  return { objects, marks, data, remove: () => rmSync(root, { recursive: true, force: true }) }
}

export interface Service {
  readonly create: (at: Omit<ToService, 'type'>) => Promise<string>
  /** SIGKILL; resolves when it is gone. */
  readonly kill: () => Promise<void>
}

export const startService = async (database: string, { objects, marks }: Folders): Promise<Service> => {
  const script = fileURLToPath(new URL('./process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, database, objects, marks], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting: ((runId: string) => void)[] = []
  const ready = Promise.withResolvers<void>()
  child.on('message', (message: FromService) => {
    if (message.type === 'ready') ready.resolve()
    else waiting.shift()?.(message.runId)
  })
  child.on('exit', (code) => ready.reject(new Error(`The service ended (${code}) before it was ready`)))
  await ready.promise
  return {
    create: (at) => {
      const { promise, resolve } = Promise.withResolvers<string>()
      waiting.push(resolve)
      // A service that was killed a moment ago acknowledges nothing: the promise stays open, as for a lost answer.
      child.send({ type: 'create', ...at } satisfies ToService, () => undefined)
      return promise
    },
    kill: () => kill(child),
  }
}

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** Process ids of the scan children that live now. */
export const livingChildren = ({ marks }: Folders): number[] =>
  readdirSync(marks)
    .filter((name) => name.endsWith('.pid'))
    .map((name) => Number.parseInt(name, 10))
    .filter(isAlive)

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const allEnded = (db: Database, ids: readonly string[]): Promise<void> =>
  until(async () => {
    for (const id of ids) {
      const run = await getAnyRun(db, id)
      if (!run || !hasEnded(run.status)) return false
    }
    return true
  }, TIME / 2)

/** What has to be true of a run whatever was killed while it was on its way. */
export const assertWhole = async (db: Database, { objects }: Folders, id: string): Promise<void> => {
  const run = await getAnyRun(db, id)
  if (!run) throw new Error(`run ${id} is lost`)
  const events = await read(db, id, 0, 100_000)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  const ends = events.filter(({ type }) => type === 'done')
  expect(ends).toHaveLength(1)
  expect(events.at(-1)).toEqual(ends[0])
  expect(ends[0]?.data.status).toBe(run.status)

  const texts = (await readAuditTexts(db, id, 0, 100_000)).map(({ text }) => text)
  const prevs = texts.map((text) => String(JSON.parse(text).prev))
  expect(prevs.slice(1)).toEqual(texts.slice(0, -1).map((text) => createHash('sha256').update(text).digest('hex')))

  const files = await listArtifacts(db, id)
  for (const file of files) {
    const bytes = await readObject(objects, file.objectKey)
    expect({
      name: file.filename,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }).toEqual({
      name: file.filename,
      size: file.size_bytes,
      sha256: file.sha256,
    })
  }
  const names = files.map(({ filename }) => filename)
  if (run.status !== 'done') {
    expect(names).not.toContain('findings.json')
    return
  }
  expect(names).toEqual([
    'audit-log.jsonl',
    'findings.json',
    'report.html',
    'report.md',
    'signature.json',
    'evidence.zip',
    'cookies-page.txt',
    'headers-page.txt',
    'site-page.txt',
  ])
  const findings = await allFindings(db, id)
  expect(findings.map(({ module }) => module).toSorted()).toEqual(['cookies', 'headers', 'site'])
  // Every finding's proof is one of the visible files, not one of an attempt that was lost.
  const ids = new Set(files.map((file) => file.id))
  expect(findings.flatMap(({ evidence }) => evidence).every((evidence) => ids.has(evidence))).toBe(true)
  const key = files.find(({ kind }) => kind === 'audit_log')?.objectKey ?? ''
  expect(
    String(await readObject(objects, key))
      .trimEnd()
      .split('\n'),
  ).toEqual(texts)
}
