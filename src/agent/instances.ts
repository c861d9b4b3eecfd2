/**
 * Processes of agents on one folder. Each has a folder of its own below it, named by the process and by the instance that the
 * service knows it as: what a killed one had is told to the service by the next, and nobody has to wait for its leases.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { isDeadMark, ownMark } from '../temporary/temporary.ts'

export interface Instances {
  readonly own: string
  /** Of mode 0700, for this process alone. */
  readonly folder: string
  /** Says to processes of other machines that this one lives. */
  readonly touch: () => void
  /** Instances whose processes are dead. */
  readonly dead: () => readonly string[]
  /** The service knows that it is dead. */
  readonly forget: (instance: string) => void
  readonly close: () => void
}

/** Milliseconds without a touch after which the process of another machine counts as dead. */
const SILENCE = 60_000
const NAMED = /^(.+)_([0-9a-f-]{36})$/

export const claimInstance = (parent: string): Instances => {
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const own = randomUUID()
  const folder = join(parent, `${ownMark()}_${own}`)
  mkdirSync(folder, { mode: 0o700 })
  const found = () =>
    readdirSync(parent).flatMap((name) => {
      const [, mark = '', instance] = NAMED.exec(name) ?? []
      return instance === undefined ? [] : [{ mark, instance, path: join(parent, name) }]
    })
  return {
    own,
    folder,
    touch: () => utimesSync(folder, new Date(), new Date()),
    dead: () => found().flatMap(({ mark, instance, path }) => (isDeadMark(mark, path, SILENCE) ? [instance] : [])),
    forget: (gone) => {
      for (const { instance, path } of found()) if (instance === gone) rmSync(path, { recursive: true, force: true })
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
