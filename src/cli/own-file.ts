/** A file that a person has named. */
import { access, constants, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileFailure, UsageError } from './exit.ts'

/** @throws UsageError with a sentence where it cannot be read */
export const ownFile = async (path: string): Promise<Buffer<ArrayBuffer>> => readFile(path).catch(refusal(path))

/** For what reads a file in another way; other errors than those of files are thrown on. */
export const refusal =
  (path: string) =>
  (cause: unknown): never => {
    // Reading a folder fails without its name.
    const said = cause instanceof Error ? fileFailure(Object.assign(cause, { path })) : null
    throw said === null ? cause : new UsageError(said, { cause })
  }

/**
 * Before anything is done for their sake: a run of an hour whose findings cannot be written was for nothing.
 * @throws UsageError for the first that cannot be
 */
export const assertWritable = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const folder = dirname(path)
    await access(folder, constants.W_OK).catch(refusal(folder))
    const isFolder = await stat(path).then((there) => there.isDirectory(), isMissing)
    if (isFolder) throw new UsageError(`${path}: that is a folder`)
  }
}

/** What is not there yet is no folder. */
const isMissing = (error: Error & { readonly code?: unknown }): false => {
  if (error.code !== 'ENOENT') throw error
  return false
}
