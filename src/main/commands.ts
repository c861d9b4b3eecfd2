/** What the commands of `sonde` do. Each loads only what it needs: most of them never touch the database. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CliDeps } from '../cli/deps.ts'
import type { Surroundings } from '../cli/entry.ts'
import { type Config, readConfig } from './config.ts'
import { HOME, VERSION } from './version.ts'

/** The commands as the program has them, with the settings of an environment. */
export const commandsIn = ({ env, screen, signal }: Surroundings): CliDeps => {
  let settings = env
  const config = (): Config => readConfig(settings, fileURLToPath(HOME))
  const deps: CliDeps = {
    version: VERSION,
    remote: false,
    env,
    screen,
    signal,
    // What a person types is relative to where they are; the default and the variable are relative to the product.
    chooseFolder: (folder) => {
      settings = { ...env, SONDE_DATA: resolve(folder) }
    },
    folderNamed: () => settings !== env,
    operator: async () => (await import('./reach-operator.ts')).reachOperator(config()),
    localService: async () => (await import('./local-service.ts')).localService(config()),
    // What is wrong with the settings is said before anything is loaded.
    serve: async (options) => {
      const read = config()
      return (await import('./serve.ts')).serve(read, options, deps)
    },
    work: async (options) => {
      const read = config()
      return (await import('./work.ts')).work(read, options, deps)
    },
    agent: async (command) => {
      const read = config()
      return (await import('./agent.ts')).runAgent(read, command, signal)
    },
    checkAgent: async (command) => {
      const read = config()
      return (await import('./agent-check.ts')).checkAgent(read, command)
    },
    demo: async (options) => {
      const read = config()
      return (await import('./demo.ts')).demo(read, options, deps)
    },
    migrate: async (to) => {
      const read = config()
      return (await import('./migrate.ts')).migrateCommand(read, to)
    },
    backup: async (file, key) => {
      const read = config()
      return (await import('./backup.ts')).backupCommand(read, resolve(file), key)
    },
    restore: async (file, key, held) => {
      const read = config()
      return (await import('./backup.ts')).restoreCommand(read, resolve(file), key, held)
    },
    feeds: async () => (await import('./feeds.ts')).feedsOf(config()),
    templates: async () => (await import('./templates.ts')).templateTool(config()),
    doctor: async () => {
      const read = config()
      const { reachOperator } = await import('./reach-operator.ts')
      return (await import('./doctor.ts')).diagnose(read, () => reachOperator(read))
    },
  }
  return deps
}
