/** A machine that is not this one, for the scripts that set up: a folder of the product, and programs of the case's own. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url))
/** What every system has that bash runs on. */
const TOOLS = (
  'base64 bash cat cut date dirname env find flock grep gzip head mkdir mv od rm sed sha256sum sha512sum sleep tail tar ' +
  'timeout tr uname wc'
).split(' ')

export interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Machine {
  /** Folder of the product; its name has a space. */
  readonly home: string
  /** Puts a program in bash on the PATH. */
  readonly program: (name: string, body: string) => void
  /** The same, and every call is written down. */
  readonly recorded: (name: string, body: string) => void
  readonly calls: () => string
  /** Debian with these packages; `user` is the uid that the set-up sees. */
  readonly debian: (installed: readonly string[], user: number) => void
  /** Runs it after `scripts/setup.sh`, as `run` does. */
  readonly bash: (script: string, env?: Readonly<Record<string, string>>) => Promise<Said>
  readonly log: () => string
  readonly remove: () => void
}

/** Milliseconds for one script on a busy machine. */
const DEADLINE = 60_000

export const createMachine = (): Machine => {
  const root = mkdtempSync(join(tmpdir(), 'sonde-machine-'))
  const home = join(root, 'the product')
  const bin = join(root, 'bin')
  for (const folder of [bin, home, join(home, 'node_modules')]) mkdirSync(folder)
  symlinkSync(SCRIPTS, join(home, 'scripts'))
  for (const tool of TOOLS) {
    const real = ['/usr/bin', '/bin'].map((folder) => join(folder, tool)).find(existsSync)
    if (real === undefined) throw new Error(`${tool} is not installed`)
    symlinkSync(real, join(bin, tool))
  }
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  const program = (name: string, body: string): void => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return {
    home,
    program,
    recorded: (name, body) => program(name, `echo "${name} $*" >>'${root}/calls'\n${body}`),
    calls: () => read(join(root, 'calls')),
    debian: (installed, user) => {
      const known = installed.map((name) => `"${name}"`).join('|') || '""'
      program('dpkg-query', `case "\${@: -1}" in ${known}) echo "ii ";; *) exit 1;; esac`)
      program('id', `echo ${user}`)
    },
    bash: async (script, env = {}) => {
      const child = spawn(
        '/bin/bash',
        ['--norc', '--noprofile', '-euo', 'pipefail', '-c', `home='${home}'; . "$home/scripts/setup.sh"; ${script}`],
        {
          env: { PATH: bin, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
          timeout: DEADLINE,
        },
      )
      let out = ''
      let err = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        err += text
      })
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, out, err }
    },
    log: () => read(join(home, '.setup', 'setup.log')),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** A package as a registry keeps it: a tarball whose files lie in the folder `package`. */
export const tarballOf = async (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const archive = pack()
  for (const [name, content] of Object.entries(files)) archive.entry({ name: `package/${name}`, mode: 0o755 }, content)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk)
  return gzipSync(Buffer.concat(chunks))
}

/** Form of Subresource Integrity, as package-lock.json has it. */
export const integrityOf = (tarball: Buffer): string =>
  `sha512-${createHash('sha512').update(tarball).digest('base64')}`

/** Writes a file into a folder that may not be there yet. */
export const put = (file: string, content: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
