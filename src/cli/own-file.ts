/** A file that a person has named. */
import { readFile } from 'node:fs/promises'
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
