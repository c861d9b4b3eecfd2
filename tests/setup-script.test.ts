/** scripts/setup.sh on machines that are not this one: programs of the system are replaced by small ones of the case. */
import { spawnSync } from 'node:child_process'
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
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const SETUP = fileURLToPath(new URL('../scripts/setup.sh', import.meta.url))
const TOOLS = ['bash', 'cat', 'dirname', 'find', 'flock', 'grep', 'mkdir', 'rm', 'sha256sum', 'uname']
const NODE = `node_modules/node-linux-${process.arch}/bin/node`

let home = ''
let bin = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sonde-setup-'))
  bin = join(home, 'bin')
  mkdirSync(bin)
  mkdirSync(join(home, 'node_modules'))
  writeFileSync(join(home, 'package-lock.json'), '{}')
  for (const tool of TOOLS) {
    const real = ['/usr/bin', '/bin'].map((folder) => join(folder, tool)).find(existsSync)
    if (real === undefined) throw new Error(`${tool} is not installed`)
    symlinkSync(real, join(bin, tool))
  }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const program = (name: string, body: string): void => {
  writeFileSync(join(bin, name), `#!/bin/bash\n${body}\n`)
  chmodSync(join(bin, name), 0o755)
}
/** Every call of these is written down. */
const recorded = (name: string, body: string): void => program(name, `echo "${name} $*" >>${home}/calls\n${body}`)
const calls = (): string => (existsSync(join(home, 'calls')) ? readFileSync(join(home, 'calls'), 'utf8') : '')
const debian = (installed: readonly string[], user: number): void => {
  const known = installed.map((name) => `"${name}"`).join('|') || '""'
  program('dpkg-query', `case "\${@: -1}" in ${known}) echo "ii ";; *) exit 1;; esac`)
  program('id', `echo ${user}`)
}
const bash = (script: string): { code: number | null; out: string; err: string } => {
  const result = spawnSync('/bin/bash', ['--norc', '--noprofile', '-euc', `home=${home}; . ${SETUP}; ${script}`], {
    env: { PATH: bin },
    encoding: 'utf8',
    timeout: 20_000,
  })
  return { code: result.status, out: result.stdout, err: result.stderr }
}

describe('programs', () => {
  test('without apt: all are named with the command, and it goes on', () => {
    const { code, out, err } = bash('setup_programs; echo on')
    expect(err).toContain('not installed: xelatex bwrap pdfinfo chromium-headless-shell')
    expect(err).toMatch(/apt-get install .*texlive-xetex[\s\S]*chromium-headless-shell/)
    expect({ code, out }).toEqual({ code: 0, out: 'on\n' })
  })

  test('without apt, but all there: silent', () => {
    for (const name of ['xelatex', 'bwrap', 'pdfinfo', 'chromium-headless-shell']) program(name, '')
    expect(bash('setup_programs')).toEqual({ code: 0, out: '', err: '' })
  })

  test('with apt as root: only what is missing is installed, and it says why', () => {
    debian(['bubblewrap'], 0)
    recorded('apt-get', '')
    const { code, out, err } = bash('install_packages "the sandbox" bubblewrap poppler-utils')
    expect(err).toContain('installing Debian packages (the sandbox): poppler-utils')
    expect(calls()).toBe('apt-get install -y -q --no-install-recommends poppler-utils\n')
    expect({ code, out }).toEqual({ code: 0, out: '' })
  })

  test('nothing missing: apt is not called', () => {
    debian(['bubblewrap'], 0)
    recorded('apt-get', '')
    expect(bash('install_packages "the sandbox" bubblewrap')).toEqual({ code: 0, out: '', err: '' })
    expect(calls()).toBe('')
  })

  test('not root: the command is printed, nothing is called', () => {
    debian([], 1000)
    recorded('apt-get', '')
    const { code, err } = bash('install_packages "the sandbox" bubblewrap')
    expect(err).toContain('sudo apt-get install --no-install-recommends bubblewrap')
    expect(code).toBe(1)
    expect(calls()).toBe('')
  })

  test('lists that are old are fetched once', () => {
    debian([], 0)
    recorded('apt-get', `[ "$(grep -c install ${home}/calls)" = 2 ] || [ "$1" = update ]`)
    expect(bash('install_packages "the sandbox" bubblewrap').code).toBe(0)
    expect(
      calls()
        .split('\n')
        .map((line) => line.split(' ')[1]),
    ).toEqual(['install', 'update', 'install', undefined])
  })

  test('what cannot be had holds up one start, not every one', () => {
    debian([], 0)
    recorded('apt-get', 'exit 100')
    expect(bash('setup_programs').code).toBe(0)
    const first = calls()
    expect(first).toContain('texlive-xetex')
    expect(first).toContain('chromium-headless-shell')
    const { code, err } = bash('setup_programs')
    expect(err).toContain('still missing')
    expect(code).toBe(0)
    expect(calls()).toBe(first)
  })
})

describe('node', () => {
  const npm = `mkdir -p ${'$'}(dirname ${'$'}PWD/${NODE}); echo > ${'$'}PWD/${NODE}; /bin/chmod +x ${'$'}PWD/${NODE}`

  test('the first start installs by the lockfile, without scripts; the second does nothing', () => {
    recorded('npm', npm)
    const first = bash('setup_node; echo "$node"')
    expect(first).toMatchObject({ code: 0, out: `${join(home, NODE)}\n`, err: expect.stringContaining('npm ci') })
    expect(calls()).toMatch(/^npm ci --ignore-scripts /)
    const once = calls()
    expect(bash('setup_node')).toEqual({ code: 0, out: '', err: '' })
    expect(calls()).toBe(once)
  })

  test('another lockfile installs again', () => {
    recorded('npm', npm)
    bash('setup_node')
    writeFileSync(join(home, 'package-lock.json'), '{"changed": true}')
    bash('setup_node')
    expect(calls().match(/npm ci/g)).toHaveLength(2)
  })

  test('no npm and no apt: says what to install', () => {
    expect(bash('setup_node')).toMatchObject({ code: 2, err: expect.stringContaining('apt-get install nodejs npm') })
  })

  test('npm that fails stops it, and leaves no stamp', () => {
    recorded('npm', 'exit 1')
    expect(bash('setup_node')).toMatchObject({ code: 2, err: expect.stringContaining('npm ci failed') })
    expect(existsSync(join(home, 'node_modules/.sonde-setup'))).toBe(false)
  })

  test('a linked node_modules is never installed into', () => {
    recorded('npm', npm)
    const target = join(home, 'elsewhere')
    mkdirSync(target)
    writeFileSync(join(target, 'keep'), '')
    rmSync(join(home, 'node_modules'), { recursive: true })
    symlinkSync(target, join(home, 'node_modules'))
    expect(bash('setup_node')).toMatchObject({ code: 2, err: expect.stringContaining('is a link') })
    expect(existsSync(join(target, 'keep'))).toBe(true)
    expect(calls()).toBe('')
  })
})
