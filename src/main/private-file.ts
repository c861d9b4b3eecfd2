/** Small secret files of the data folder: for the owner alone, whole or not at all, never overwritten by accident. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Null when there is no such file. */
export const readPrivate = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Mode 0600 in a folder of mode 0700. False when the file is there already: of two starters, the first one's counts. */
export const createPrivate = (path: string, content: string): boolean => {
  const temporary = writeBeside(path, content)
  try {
    // A link fails where a rename would replace.
    linkSync(temporary, path)
    chmodSync(path, 0o600)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary)
  }
}

/** As `createPrivate`, in place of what is there: a reader finds the old content or the new one. */
export const replacePrivate = (path: string, content: string): void => {
  const temporary = writeBeside(path, content)
  try {
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/**
 * A folder for the owner alone, and those above it that there are not. Each is made by itself: asked for all of a path, Node goes round for ever where
 * the system says of a folder that is there that nothing is (below /proc).
 */
export const makePrivateFolder = (path: string): void => {
  const above = dirname(path)
  if (existsSync(path)) return
  if (above !== path) makePrivateFolder(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

const writeBeside = (path: string, content: string): string => {
  makePrivateFolder(dirname(path))
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const handle = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return temporary
}
