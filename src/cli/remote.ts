/** Entry of the package `sonde`: the commands for people who have a key of a service elsewhere, without that service. */
import type { CliDeps } from './deps.ts'
import { runProgram, type Surroundings } from './entry.ts'
import { UsageError } from './exit.ts'

/** Put in by the build. */
declare const PACKED_VERSION: string

// Node 20 does not have it yet.
Map.groupBy ??= <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

const elsewhere = async (): Promise<never> => {
  throw new UsageError('That is for the operator, on the machine of the service: "./run" there has this command')
}

const remoteDeps = (surroundings: Surroundings): CliDeps => ({
  ...surroundings,
  version: PACKED_VERSION,
  remote: true,
  chooseFolder: () => undefined,
  folderNamed: () => false,
  localService: async () => null,
  operator: elsewhere,
  serve: elsewhere,
  work: elsewhere,
  agent: elsewhere,
  checkAgent: elsewhere,
  demo: elsewhere,
  migrate: elsewhere,
  backup: elsewhere,
  restore: elsewhere,
  doctor: elsewhere,
  feeds: elsewhere,
  templates: elsewhere,
})

await runProgram(remoteDeps)
