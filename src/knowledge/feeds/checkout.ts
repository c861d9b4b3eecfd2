/** The commit of a git checkout, read from its files: no program of a stranger's repository is started. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** 40 or 64 hex digits; null where the folder is no checkout, or its state is not said in so many words. */
export const checkoutRevision = (folder: string): string | null => {
  const git = join(folder, '.git')
  if (!statSync(git, { throwIfNoEntry: false })?.isDirectory()) return null
  const head = read(join(git, 'HEAD'))?.trim() ?? ''
  const reference = /^ref: (refs\/[\w./-]{1,200})$/.exec(head)?.[1]
  if (reference === undefined) return revision(head)
  if (reference.split('/').includes('..')) return null
  const packed = read(join(git, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.endsWith(` ${reference}`))
  return revision(read(join(git, reference)) ?? packed ?? '')
}

const revision = (text: string): string | null => /^(?:[\da-f]{64}|[\da-f]{40})(?=\s|$)/.exec(text)?.[0] ?? null

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').slice(0, 4 * 1024 * 1024)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
