/**
 * What a program and everything that it starts takes: in a control group of Linux, which counts what has ended already, however it was
 * started, and from which nothing escapes. Memory is the share that each process has of its pages (PSS, proc(5)).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { sleep } from '../../src/contract/sleep.ts'

export interface Usage {
  /** Starts a program in the group. */
  readonly start: (command: readonly string[], how: { env: NodeJS.ProcessEnv; cwd?: string }) => ChildProcess
  /** Processor seconds so far, user and system. */
  readonly seconds: () => number
  readonly processes: () => readonly number[]
  /** Bytes now. */
  readonly memory: () => number
  /** The most bytes from now on, looked at four times a second; `stop` gives them. */
  readonly peak: () => { readonly stop: () => number }
  /** Ends what is left. */
  readonly close: () => Promise<void>
}

/** Those of version 2, and version 1's for the processor. */
const ROOTS = [
  { folder: '/sys/fs/cgroup', is: 'cgroup.controllers', seconds: (group: string) => statOf(group) },
  {
    folder: '/sys/fs/cgroup/cpuacct',
    is: 'cpuacct.usage',
    seconds: (group: string) => Number(readFileSync(join(group, 'cpuacct.usage'), 'utf8')) / 1e9,
  },
]
const statOf = (group: string): number =>
  Number(/^usage_usec (\d+)/m.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1]) / 1e6

const EVERY = 250
let made = 0

/** @throws Error where this user may make no control group */
export const openUsage = (): Usage => {
  const root = ROOTS.find(({ folder, is }) => existsSync(join(folder, is)))
  if (root === undefined) throw new Error('There are no control groups')
  made += 1
  const group = join(root.folder, `sonde-bench-${process.pid}-${made}`)
  mkdirSync(group)
  const processes = (): number[] =>
    readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number)
  const memory = (): number => processes().reduce((sum, pid) => sum + shareOf(pid), 0)
  return {
    start: (command, { env, cwd }) =>
      spawn('/bin/sh', ['-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh', ...command], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
        ...(cwd === undefined ? {} : { cwd }),
      }),
    seconds: () => root.seconds(group),
    processes,
    memory,
    peak: () => {
      let most = memory()
      const timer = setInterval(() => {
        most = Math.max(most, memory())
      }, EVERY)
      return {
        stop: () => {
          clearInterval(timer)
          return Math.max(most, memory())
        },
      }
    },
    close: async () => {
      for (let turn = 0; turn < 50 && processes().length > 0; turn += 1) {
        for (const pid of processes()) kill(pid)
        await sleep(100)
      }
      rmdirSync(group)
    },
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** 0 of one that has ended meanwhile. */
export const shareOf = (pid: number): number => {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
