import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const SCRIPT = new URL('./testing/holder.ts', import.meta.url).pathname

let system = ''
let data = ''
beforeEach(() => {
  system = mkdtempSync(join(tmpdir(), 't-'))
  data = join(system, 'data')
  mkdirSync(data)
})
afterEach(() => rmSync(system, { recursive: true, force: true }))

interface Holder {
  /** Folders that it made: one of its own, one that is shared, one for a child. */
  readonly made: readonly string[]
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
}

/** A process that claims, makes folders with a file in each, and lives until it is told to end. */
const hold = async (mode: 'claims' | 'alone' | 'command', folder = data): Promise<Holder> => {
  const child = spawn(process.execPath, [SCRIPT, mode, folder], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: system },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const made = await new Promise<readonly string[]>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (line: string) => resolve(JSON.parse(line)))
    void gone.then(() => reject(new Error('the holder ended')))
  })
  return {
    made,
    kill: async (signal) => {
      if (signal === 'SIGTERM') child.stdin.end()
      else child.kill(signal)
      await gone
    },
  }
}

/** A long path. */
const deep = (): string => {
  const folder = join(data, 'a-folder-with-a-long-name'.repeat(3), 'and-another-one'.repeat(4))
  mkdirSync(folder, { recursive: true })
  return folder
}
const present = ({ made }: Holder): boolean[] => made.map((path) => existsSync(path))

describe('temporary files', { timeout: 60_000 }, () => {
  test('are below the data folder, and go with their process', async () => {
    const holder = await hold('claims')
    expect(present(holder)).toEqual([true, true, true])
    expect(holder.made[0]?.startsWith(`${data}/tmp/`)).toBe(true)
    if (process.getuid?.() !== 0) for (const path of holder.made) expect(path.startsWith(`${data}/tmp/`)).toBe(true)
    await holder.kill('SIGTERM')
    expect(present(holder)).toEqual([false, false, false])
  })

  test.each(['claims', 'command'] as const)(
    'of a killed process (%s) go at the next start, those of a living one stay',
    async (mode) => {
      const [killed, living] = [await hold(mode), await hold(mode)]
      await killed.kill('SIGKILL')
      expect(present(killed)).toEqual([true, true, true])
      const next = await hold('claims')
      // A command sweeps, and is swept, in the system's folder alone; as root what claims looks there too.
      if (mode === 'command') await (await hold('command')).kill('SIGTERM')
      expect(present(killed)).toEqual([false, false, false])
      expect(present(living)).toEqual([true, true, true])
      for (const each of [living, next]) await each.kill('SIGTERM')
      expect(present(living)).toEqual([false, false, false])
    },
  )

  test('of another machine stay for a week, but for whoever holds the lock of the folder', async () => {
    const stranger = join(data, 'tmp', '00000000-1-1')
    const ours = join(data, 'tmp', 'not-ours.txt')
    mkdirSync(stranger, { recursive: true })
    writeFileSync(ours, '')
    await (await hold('claims')).kill('SIGTERM')
    expect(existsSync(stranger)).toBe(true)
    const old = Date.now() / 1000 - 8 * 24 * 3_600
    utimesSync(stranger, old, old)
    await (await hold('claims')).kill('SIGTERM')
    expect(existsSync(stranger)).toBe(false)
    mkdirSync(stranger)
    await (await hold('alone')).kill('SIGTERM')
    expect(existsSync(stranger)).toBe(false)
    expect(existsSync(ours)).toBe(true)
  })

  test('of children have short paths, however long that of the data folder is', async () => {
    const folder = deep()
    const holder = await hold('claims', folder)
    const [own = '', , child = ''] = holder.made
    expect(own.startsWith(folder)).toBe(true)
    expect(child.startsWith(`${system}/sonde-`)).toBe(true)
    expect(child.length - system.length).toBeLessThan(60)
    await holder.kill('SIGTERM')
    expect(present(holder)).toEqual([false, false, false])
  })

  test('are nobody else’s to read', async () => {
    const holder = await hold('claims')
    for (const path of holder.made) expect(statSync(path).mode & 0o066, path).toBe(0)
    await holder.kill('SIGTERM')
    expect(readdirSync(join(data, 'tmp'))).toEqual([])
  })
})
