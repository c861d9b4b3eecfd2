import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface FolderLock {
  readonly release: () => void
}

/**
 * Takes the data folder for this process, or throws a sentence that says who holds it.
 *
 * PGlite has no lock: two processes on one folder lose acknowledged writes. The lock is SQLite's exclusive file lock
 * (fcntl), which Node brings along: the kernel frees it when the process dies in whatever way, it needs no check of
 * whether a process number is still alive, and it holds between containers that share the folder.
 */
export const lockFolder = (folder: string): FolderLock => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holder = join(folder, 'lock.pid')
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (cause) {
    lock.close()
    if (!isBusy(cause)) throw new Error(`The data folder ${folder} cannot be locked`, { cause })
    throw new Error(
      `The data folder ${folder} is in use by another Sonde${describe(holder)}. Stop it, or choose another folder.`,
      { cause },
    )
  }
  writeFileSync(holder, `${process.pid}\n`)
  return { release: () => lock.close() }
}

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === 5

/** For the sentence only: the file may be older than the lock. */
const describe = (holder: string): string => {
  try {
    const pid = readFileSync(holder, 'utf8').trim()
    return /^\d+$/.test(pid) ? ` (process ${pid})` : ''
  } catch {
    return ''
  }
}
