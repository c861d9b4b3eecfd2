/** scripts/setup-node.sh: Node and npm by the lockfile whatever a machine has, against a registry on loopback. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMachine, integrityOf, type Machine, put, type Said, tarballOf } from './support/machine.ts'
import { type Registry, startRegistry } from './support/registry.ts'

const NODE_PACKAGE = `node-linux-${process.arch}`
const NODE = `node_modules/${NODE_PACKAGE}/bin/node`
const VERSION = '24.0.0'
const NPM = '11.0.0'
const FILES = { [NODE_PACKAGE]: `${NODE_PACKAGE}-${VERSION}.tgz`, npm: `npm-${NPM}.tgz` }

/**
 * A Node in bash: npm ci writes down how it was called, installs what the lockfile names, and obeys $BREAK; the check
 * of what npm left out is run by the real one.
 */
const NODE_IN_BASH = `#!/bin/bash
case "$1" in
  --version) [ "$BREAK" = run ] && { echo 'GLIBC_2.28 not found' >&2; exit 1; }; echo v${VERSION} ;;
  */npm-cli.js)
    shift
    echo "npm $*" >>../calls
    [ "$BREAK" = ci ] && { echo 'npm error network' >&2; exit 1; }
    [ "$BREAK" = busy ] && [ "$(grep -c ci ../calls)" = 1 ] && { echo 'npm error ENOTEMPTY: directory not empty' >&2; exit 1; }
    rm -rf node_modules/*
    mkdir -p node_modules/${NODE_PACKAGE}/bin
    cp "$0" node_modules/${NODE_PACKAGE}/bin/node
    echo '{"version": "${VERSION}"}' >node_modules/${NODE_PACKAGE}/package.json
    [ "$BREAK" = kill ] && kill -9 $$
    mkdir node_modules/npm
    [ "$BREAK" = leave ] || echo '{"version": "${NPM}"}' >node_modules/npm/package.json
    ;;
  */missing-packages.ts) exec '${process.execPath}' "$@" ;;
  *) echo "started $*" ;;
esac`

let machine: Machine
let registry: Registry
const lockfile = (integrity: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    {
      lockfileVersion: 3,
      packages: {
        '': { devDependencies: { npm: NPM }, optionalDependencies: { [NODE_PACKAGE]: VERSION } },
        [`node_modules/${NODE_PACKAGE}`]: { version: VERSION, integrity: integrity[NODE_PACKAGE] },
        'node_modules/npm': { version: NPM, integrity: integrity.npm },
      },
    },
    null,
    2,
  )

beforeEach(async () => {
  machine = createMachine()
  const tarballs = {
    [NODE_PACKAGE]: await tarballOf({ 'bin/node': NODE_IN_BASH, 'package.json': `{"version":"${VERSION}"}` }),
    npm: await tarballOf({ 'bin/npm-cli.js': '' }),
  }
  registry = await startRegistry(
    Object.fromEntries(Object.entries(tarballs).map(([name, data]) => [`/${name}/-/${FILES[name]}`, data])),
  )
  const integrity = Object.fromEntries(Object.entries(tarballs).map(([name, data]) => [name, integrityOf(data)]))
  put(join(machine.home, 'package-lock.json'), lockfile(integrity))
  for (const [name, data] of Object.entries(tarballs)) writeFileSync(join(machine.home, `${name}.tarball`), data)
  for (const name of ['cp', 'kill']) machine.program(name, `exec /bin/${name} "$@"`)
})
afterEach(() => {
  registry.close()
  machine.remove()
})

const start = (broken = '', env: Readonly<Record<string, string>> = {}): Promise<Said> =>
  machine.bash('setup_node; echo "$node"', { BREAK: broken, npm_config_registry: registry.url, ...env })
const withCurl = (): void => machine.program('curl', 'exec /usr/bin/curl "$@"')
/** `npm pack` of any age: the tarball lies in the folder it was called in. */
const packing = (body = ''): void =>
  machine.recorded('npm', `${body}\nname="\${@: -1}"; /bin/cp '${machine.home}/'"\${name%@*}.tarball" packed.tgz`)
/** Nothing had to be tried twice. */
const SAID = `sonde: fetching Node ${VERSION} and npm ${NPM}
sonde: installing the npm packages of package-lock.json, without their scripts
`
const good = (): Said => ({ code: 0, out: `${join(machine.home, NODE)}\n`, err: SAID })

describe('Node and npm are fetched', () => {
  test('by the npm that the machine has, which installs nothing', async () => {
    packing()
    expect(await start()).toEqual(good())
    expect(machine.calls().match(/^npm .*$/gm)).toEqual([
      expect.stringContaining(`pack --loglevel=error ${NODE_PACKAGE}@${VERSION}`),
      expect.stringContaining(`pack --loglevel=error npm@${NPM}`),
      expect.stringMatching(/^npm ci --ignore-scripts .*--include=dev --include=optional/),
    ])
  })

  test('without npm by curl', async () => {
    withCurl()
    expect(await start()).toEqual(good())
    expect(registry.asked).toEqual(Object.entries(FILES).map(([name, file]) => `/${name}/-/${file}`))
  })

  test('without npm by wget', async () => {
    machine.program('wget', 'exec /usr/bin/wget "$@"')
    expect(await start()).toEqual(good())
  })

  test('without npm, curl and wget by what every Debian has', async () => {
    machine.program('apt-helper', 'exec /usr/lib/apt/apt-helper "$@"')
    expect(await start()).toEqual(good())
  })

  test('by the next way where one fails', async () => {
    packing('echo "npm error code EUNSUPPORTED" >&2; exit 1')
    withCurl()
    const { code, err } = await start()
    expect(err).toContain(`npm could not fetch ${NODE_PACKAGE} ${VERSION}: npm error code EUNSUPPORTED`)
    expect(code).toBe(0)
  })

  test('from the registry of the .npmrc', async () => {
    withCurl()
    const user = join(machine.home, '..', 'user')
    put(join(user, '.npmrc'), `registry=${registry.url}/\n`)
    expect(await start('', { HOME: user, npm_config_registry: '' })).toEqual(good())
  })

  test('and not used where the checksum is another than the lockfile has', async () => {
    withCurl()
    const file = join(machine.home, 'package-lock.json')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('sha512-', 'sha512-AAAA'))
    const { code, err } = await start()
    expect(err).toContain('another checksum than package-lock.json has')
    expect({ code, installed: existsSync(join(machine.home, NODE)), calls: machine.calls() }).toEqual({
      ...{ code: 2, installed: false, calls: '' },
    })
  })

  test('nothing can fetch: says what is needed', async () => {
    registry.close()
    const { code, err } = await start()
    expect(err).toContain(`One of npm, curl and wget has to reach ${registry.url}`)
    expect(code).toBe(2)
  })

  test('a Node that does not run here says so', async () => {
    packing()
    const { code, err } = await start('run')
    expect(err).toContain('GLIBC_2.28 not found')
    expect(code).toBe(2)
  })
})

describe('the packages', () => {
  beforeEach(() => packing())

  test('a second start does nothing and says nothing', async () => {
    await start()
    const once = machine.calls()
    expect(await start()).toEqual({ code: 0, out: `${join(machine.home, NODE)}\n`, err: '' })
    expect(machine.calls()).toBe(once)
  })

  test('another lockfile installs again', async () => {
    await start()
    const file = join(machine.home, 'package-lock.json')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`)
    await start()
    expect(machine.calls().match(/npm ci/g)).toHaveLength(2)
  })

  test('npm that fails ends it with its last lines; the next start tries again', async () => {
    const { code, err } = await start('ci')
    expect(err).toMatch(/npm ci failed; the next start tries again[\s\S]*npm error network/)
    expect(machine.calls().match(/npm ci/g)).toHaveLength(1)
    expect(code).toBe(2)
    expect((await start()).code).toBe(0)
  })

  test('a folder into which something still writes is installed once more', async () => {
    const { code, err } = await start('busy')
    expect(err).toMatch(/something that still runs has written there meanwhile; installing them once more\n$/)
    expect(code).toBe(0)
    expect(machine.calls().match(/npm ci/g)).toHaveLength(2)
  })

  test('npm that is killed half-way leaves nothing that counts as done', async () => {
    expect((await start('kill')).code).toBe(2)
    expect((await start()).code).toBe(0)
    expect(machine.calls().match(/npm ci/g)).toHaveLength(2)
  })

  test('a package that npm leaves out without a word is named, and nothing starts', async () => {
    const { code, err } = await start('leave')
    expect(err).toMatch(/npm left out packages .*: npm@11\.0\.0/)
    expect(code).toBe(2)
    expect(existsSync(join(machine.home, 'node_modules/.sonde-setup'))).toBe(false)
  })

  test('two starts at once install once', async () => {
    const both = await Promise.all([start(), start()])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(machine.calls().match(/npm ci/g)).toHaveLength(1)
  })

  test.each([
    ['none', {}],
    ['one that is not there', { HOME: '/nonexistent' }],
    ['one that cannot be written', { HOME: '/proc' }],
  ])('a home folder: %s: npm keeps what it fetched beside the product', async (_, env) => {
    machine.recorded('npm', `echo "cache $npm_config_cache" >>'${machine.home}/../calls'; exit 1`)
    withCurl()
    expect((await start('', env)).code).toBe(0)
    expect(machine.calls()).toContain(`cache ${join(machine.home, '.setup/npm-cache')}`)
  })

  test('what was needed to set up is gone afterwards', async () => {
    await start()
    expect(readdirSync(join(machine.home, '.setup')).sort()).toEqual(['setup.log'])
  })

  test('a linked node_modules is never installed into', async () => {
    const target = join(machine.home, 'elsewhere')
    mkdirSync(target)
    writeFileSync(join(target, 'keep'), '')
    rmSync(join(machine.home, 'node_modules'), { recursive: true })
    symlinkSync(target, join(machine.home, 'node_modules'))
    expect(await start()).toMatchObject({ code: 2, err: expect.stringContaining('is a link') })
    expect(existsSync(join(target, 'keep'))).toBe(true)
    expect(machine.calls()).toBe('')
  })

  test('a folder of the product that this user may not write: says who has to start it', async () => {
    const { code, err } = await machine.bash('open_setup_folder() { return 1; }; setup_node')
    expect(err).toContain('Start it once as its owner')
    expect({ code, calls: machine.calls() }).toEqual({ code: 2, calls: '' })
  })
})

describe('what npm left out', () => {
  const SCRIPT = fileURLToPath(new URL('../scripts/missing-packages.ts', import.meta.url))
  const REAL = fileURLToPath(new URL('..', import.meta.url))
  const missing = (folder: string): { code: number | null; names: string[] } => {
    const { status, stdout } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' })
    return { code: status, names: stdout.split('\n').filter((line) => line !== '') }
  }
  const locked = (name: string): string =>
    JSON.parse(readFileSync(join(REAL, 'package-lock.json'), 'utf8')).packages[`node_modules/${name}`].version

  test('nothing of this product here', () => expect(missing(REAL)).toEqual({ code: 0, names: [] }))

  test('exactly the native packages of this machine, where none is there', () => {
    // Of all packages only the descriptions, less those of the native ones.
    cpSync(join(REAL, 'package-lock.json'), join(machine.home, 'package-lock.json'))
    const { packages } = JSON.parse(readFileSync(join(REAL, 'package-lock.json'), 'utf8'))
    for (const [place, { version, os }] of Object.entries<{ version: string; os?: unknown }>(packages))
      if (place !== '' && os === undefined) put(join(machine.home, place, 'package.json'), JSON.stringify({ version }))
    const names = [
      `@biomejs/cli-linux-${process.arch}`,
      `@resvg/resvg-js-linux-${process.arch}-gnu`,
      `@rolldown/binding-linux-${process.arch}-gnu`,
      `@typescript/typescript-linux-${process.arch}`,
      `lightningcss-linux-${process.arch}-gnu`,
      NODE_PACKAGE,
    ]
    const found = missing(machine.home)
    expect(found.names.sort()).toEqual(names.map((name) => `${name}@${locked(name)}`))
    expect(found.code).toBe(1)
  })

  test('a package of another version', () => {
    put(join(machine.home, 'package-lock.json'), lockfile({}))
    put(join(machine.home, 'node_modules/npm/package.json'), '{"version": "10.0.0"}')
    put(join(machine.home, `node_modules/${NODE_PACKAGE}/package.json`), `{"version": "${VERSION}"}`)
    expect(missing(machine.home)).toEqual({ code: 1, names: [`npm@${NPM}`] })
  })
})
