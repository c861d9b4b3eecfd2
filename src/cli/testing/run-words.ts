/** The program with a screen of strings, for tests of the commands. */
import { expect } from 'vitest'
import type { CliDeps } from '../deps.ts'
import type { ExitCode } from '../exit.ts'
import { runCli } from '../program.ts'

export interface Result {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

/** What a test does not name must not be asked for. */
export const runWords = async (words: readonly string[], more: Partial<CliDeps> = {}): Promise<Result> => {
  let out = ''
  let err = ''
  let folder: string | null = null
  const unexpected = async (): Promise<never> => expect.unreachable()
  const deps: CliDeps = {
    version: '1.2.3',
    remote: false,
    env: {},
    screen: {
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += text
      },
      isTTY: false,
      columns: () => 80,
      colour: false,
    },
    signal: new AbortController().signal,
    chooseFolder: (named) => {
      folder = named
    },
    folderNamed: () => folder !== null,
    operator: unexpected,
    localService: async () => null,
    serve: unexpected,
    work: unexpected,
    agent: unexpected,
    checkAgent: unexpected,
    demo: unexpected,
    migrate: unexpected,
    backup: unexpected,
    restore: unexpected,
    doctor: unexpected,
    feeds: unexpected,
    templates: unexpected,
    ...more,
  }
  return { code: await runCli(words, deps), out, err }
}
