/** Each bed of a folder is scanned, in the parts that it names, and the table of scores is written anew. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBed } from './bed.ts'

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const WHOLE = [{ only: undefined, modules: 'all' }]

/** The arguments of each scan, by the name of its result. */
export const scansOf = (folder: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .flatMap((name) => {
        const file = join(folder, name)
        const bed = readBed(file)
        return (bed.parts ?? WHOLE).map(({ only, modules }, at) => {
          const part = only === undefined ? [] : ['--only', only]
          return [`${bed.name}-${at + 1}.json`, ['--bed', file, '--modules', modules, ...part]] as const
        })
      }),
  )

/** The exit code. A bed that does not answer is told, and keeps what stands of it. */
export const remake = (folder: string, results: string): number => {
  mkdirSync(results, { recursive: true })
  const began = Date.now()
  const run = (args: readonly string[]): boolean => spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0
  const failed = [...scansOf(folder)].filter(([name, args]) => {
    const result = join(results, name)
    run([fileOf('../beds.ts'), ...args, '--json', result])
    return (statSync(result, { throwIfNoEntry: false })?.mtimeMs ?? 0) < began
  })
  for (const [name] of failed) process.stderr.write(`not scanned: ${name}\n`)
  const isWritten = run([fileOf('./scores.ts'), '--results', results])
  return isWritten && failed.length === 0 ? 0 : 1
}
