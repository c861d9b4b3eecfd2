/** Pages that hand a value to a shell: a real one, and as much of cmd.exe as its grammar needs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kind } from './kind.ts'
import { cmdOutput } from './languages.ts'
import { startProgram } from './starter.ts'

/** A value with a bracket makes a file where the shell stands. */
const folder = mkdtempSync(join(tmpdir(), 'sonde-shell-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const LIMITS = { timeout: 8_000, maxBuffer: 65_536, cwd: folder }

/** A line that fails still outputOf what came before. */
const shell = async (line: string): Promise<string> => {
  const { stdout, stderr } = await startProgram('/bin/sh', ['-c', line], LIMITS)
  return stdout + stderr
}

/** What a program prints that must end well. */
export const outputOf = async (file: string, args: readonly string[]): Promise<string> => {
  const { ok, stdout, stderr } = await startProgram(file, args, LIMITS)
  if (!ok) throw new Error(`${file}: ${stderr}`)
  return stdout
}
const echoed = (v: string): Promise<string> => outputOf('/bin/echo', ['Looking up', v.replaceAll('\0', '')])

export const COMMANDS: readonly Kind[] = [
  {
    name: 'command-bare',
    finds: 'injection/command',
    value: 'tent',
    careless: (v) => shell(`echo Looking up ${v}`),
    careful: echoed,
  },
  {
    name: 'command-double-quoted',
    finds: 'injection/command',
    value: 'tent',
    careless: (v) => shell(`echo "Looking up ${v}"`),
    careful: echoed,
  },
  {
    name: 'command-single-quoted',
    finds: 'injection/command',
    value: 'tent',
    careless: (v) => shell(`echo 'Looking up ${v}'`),
    careful: echoed,
  },
  {
    name: 'command-no-semicolon',
    finds: 'injection/command',
    value: 'tent',
    careless: (v) => shell(`echo Looking up ${v.replace(/[;|]/g, '')}`),
    careful: echoed,
  },
  {
    name: 'command-substitution-only',
    finds: 'injection/command',
    value: 'tent',
    careless: (v) => shell(`echo Looking up ${v.replace(/[;|&\n'"]/g, '')}`),
    careful: echoed,
  },
  {
    name: 'command-line-break-only',
    finds: 'injection/command',
    value: 'tent',
    careless: (v) =>
      shell(`echo Looking up ${v.replace(/[;|&$`]/g, (char) => `\\${char}`).replace(/\\\$\\?\(\(/g, '$((')}`),
    careful: echoed,
  },
  {
    name: 'command-silent',
    finds: 'injection/command',
    value: 'tent',
    timed: true,
    careless: async (v) => {
      await shell(`echo ${v}`)
      return 'Thank you'
    },
    careful: async (v) => {
      await echoed(v)
      return 'Thank you'
    },
  },
]

const IIS = { Server: 'Microsoft-IIS/10.0', 'X-Powered-By': 'ASP.NET' } as const
const plainWords = (v: string): string => `Looking up ${v.replace(/[^\w ]/g, '')}`

export const WINDOWS: readonly Kind[] = [
  {
    name: 'command-windows',
    finds: 'injection/command',
    value: 'tent',
    headers: IIS,
    careless: (v) => cmdOutput(`echo Looking up ${v}`),
    careful: plainWords,
  },
  {
    name: 'command-windows-quoted',
    finds: 'injection/command',
    value: 'tent',
    headers: IIS,
    careless: (v) => cmdOutput(`echo "Looking up ${v}"`),
    careful: plainWords,
  },
]
