/** Processes that are kept alive: whichever is killed, or ends by itself because what it needs is away, is started again. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { V8_OPTIONS } from '../support/v8-options.ts'
import type { Role } from './process.ts'

export interface Member {
  readonly role: Role
  /** Null between a death and the next start. */
  readonly pid: () => number | null
  /** SIGKILL; resolves when it is gone. The next start comes by itself. */
  readonly kill: () => Promise<void>
  /** No further start. */
  readonly end: () => Promise<void>
  /** Ends that nobody asked for, once it was ready. */
  readonly fell: () => number
  readonly log: () => string
}

/** Milliseconds to a start after an end: a supervisor's pause. */
const PAUSE = 200
const SCRIPT = fileURLToPath(new URL('./process.ts', import.meta.url))
/** Characters of the log that are kept. */
const LOG = 2_000_000

export const keepAlive = (role: Role): Member => {
  let child: ChildProcess | null = null
  let over = false
  let asked = false
  let fallen = 0
  let log = ''
  const live = async (): Promise<void> => {
    while (!over) {
      let ready = false
      asked = false
      const started = fork(SCRIPT, [JSON.stringify(role)], { execArgv: [...V8_OPTIONS], silent: true })
      child = started
      started.stdout?.resume()
      started.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log = `${log}${text}`.slice(-LOG)
      })
      started.once('message', () => {
        ready = true
      })
      await once(started, 'exit')
      child = null
      if (ready && !asked) fallen += 1
      await delay(PAUSE)
    }
  }
  const living = live()
  const kill = async (): Promise<void> => {
    const victim = child
    if (victim === null) return
    asked = true
    const gone = once(victim, 'exit')
    victim.kill('SIGKILL')
    await gone
  }
  return {
    role,
    pid: () => child?.pid ?? null,
    kill,
    end: async () => {
      over = true
      await kill()
      await living
    },
    fell: () => fallen,
    log: () => log,
  }
}

/** Scan processes that live now: whose run each has. */
export const scansOf = ({ role: { folder } }: Member): { readonly pid: number; readonly runId: string }[] =>
  readdirSync(folder).flatMap((name) => {
    const pid = Number(/^(\d+)\.pid$/.exec(name)?.[1] ?? 0)
    if (pid === 0) return []
    const runId = readFileSync(`${folder}/${name}`, 'utf8')
    return runId !== '' && isAlive(pid) ? [{ pid, runId }] : []
  })

/** A process that has ended and was not waited for yet is dead, too. */
const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
