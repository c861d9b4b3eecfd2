/**
 * `./run` and `./test` on bare Debian systems, as their first users meet them. For ./test --long alone, as root: it
 * fetches some 800 MB of packages at first, keeps them in the user's cache folder (sonde-roots) and takes half an hour.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CACHE, DEADLINE, type Ended, IS_POSSIBLE, NOTE, PRODUCT, rootSh } from '../support/bare-system.ts'
import { type Registry, startRegistry } from '../support/registry.ts'

const NPM = [join(PRODUCT, 'node_modules/npm/bin/npm-cli.js')]
const RELEASES = ['bookworm', 'trixie'] as const
/** The demo's run, as machines read it; the port is another one than the usual, which may be in use. */
const RUN = './run --once --json --port 0'
const TEST =
  './test tests/setup-node.test.ts tests/setup-script.test.ts tests/architecture.test.ts src/modules/passive/cookies'
/** Of these none needs a Debian package, or a port below 1024. */
const TEST_OF_USER = './test tests/architecture.test.ts tests/catalogue.test.ts'

/** One registry that knows the two packages which a machine without npm fetches, and sends on for the others. */
const tarballRegistry = async (): Promise<Registry> => {
  const folder = mkdtempSync(join(CACHE, 'tarballs-'))
  const { packages } = JSON.parse(readFileSync(join(PRODUCT, 'package-lock.json'), 'utf8'))
  const names = [`node-linux-${process.arch}`, 'npm']
  const wanted = names.map((name) => `${name}@${packages[`node_modules/${name}`].version}`)
  const packed = spawnSync(process.execPath, [
    ...NPM,
    'pack',
    '--loglevel=error',
    '--pack-destination',
    folder,
    ...wanted,
  ])
  if (packed.status !== 0) throw new Error(`npm pack: ${packed.stderr}`)
  const upstream = spawnSync(process.execPath, [...NPM, 'config', 'get', 'registry'], {
    encoding: 'utf8',
  }).stdout.trim()
  const tarballs = names.map((name) => {
    const file = readdirSync(folder).find((each) => each.startsWith(`${name}-`) && each.endsWith('.tgz')) ?? ''
    return [`/${name}/-/${file}`, readFileSync(join(folder, file))] as const
  })
  return startRegistry(Object.fromEntries(tarballs), upstream)
}

/** The product as it lies here, without what is ignored: what a clone of it would have. */
const putProduct = (system: string, folder: string, owner: number): void => {
  const target = join(system, folder)
  mkdirSync(target, { recursive: true })
  const copied = spawnSync('bash', [
    '-euo',
    'pipefail',
    '-c',
    `cd "$0"; git ls-files -co --exclude-standard -z | tar --null -T - -cf - | tar -xf - -C "$1"; chown -R ${owner} "$1"`,
    ...[PRODUCT, target],
  ])
  if (copied.status !== 0) throw new Error(`the product could not be copied: ${copied.stderr}`)
}

let registry: Registry
let trials = ''
beforeAll(async () => {
  if (!IS_POSSIBLE) return
  mkdirSync(CACHE, { recursive: true })
  for (const left of readdirSync(CACHE).filter((name) => /^(?:trials|tarballs)-/.test(name)))
    rmSync(join(CACHE, left), { recursive: true, force: true })
  trials = mkdtempSync(join(CACHE, 'trials-'))
  registry = await tarballRegistry()
}, DEADLINE)
afterAll(() => {
  if (!IS_POSSIBLE) return
  registry.close()
  rmSync(trials, { recursive: true, force: true })
}, DEADLINE)

/** A bare system of its own. */
const systemOf = async (release: string, name: string): Promise<string> => {
  const system = join(trials, `${release}-${name}`)
  const made = await rootSh(['base', release, CACHE])
  expect(made.code, made.err).toBe(0)
  expect((await rootSh(['copy', join(CACHE, release), system])).code).toBe(0)
  return system
}

interface Product {
  readonly system: string
  readonly folder: string
}
/** Without npm, the registry here is asked; with it the machine's own. */
const enter = async (how: string, { system, folder }: Product, command: string, direct = false): Promise<Ended> =>
  rootSh(['enter', how, system, CACHE, `cd '${folder}' && ${command}`], direct ? {} : { ROOT_REGISTRY: registry.url })

/** The run is done, its web application built, and a report made. */
const expectRun = (ended: Ended, { system, folder }: Product): void => {
  expect(ended.code, `${ended.err}\n${ended.out.slice(-2_000)}`).toBe(0)
  const { run, findings, artifacts } = JSON.parse(ended.out)
  expect(run).toMatchObject({ status: 'done', progress: 100 })
  expect(findings.length).toBeGreaterThan(20)
  for (const { path, size_bytes } of artifacts) expect(statSync(join(system, path)).size).toBe(size_bytes)
  const builds = readdirSync(join(system, folder, 'web/dist'))
  expect(builds.map((build) => readdirSync(join(system, folder, 'web/dist', build)).includes('index.html'))).toEqual([
    true,
  ])
  expect(ended.err).not.toMatch(/failed|could not/)
}

describe.runIf(process.env.SONDE_LONG).each(RELEASES)('a bare %s', (release) => {
  const bare = { system: '', folder: '/srv/sonde' }

  test.runIf(IS_POSSIBLE)(
    `root, nothing installed: ./run scans, ./test passes${NOTE}`,
    { timeout: 2 * DEADLINE },
    async () => {
      bare.system = await systemOf(release, 'root')
      putProduct(bare.system, bare.folder, 0)
      const run = await enter('root', bare, RUN)
      expectRun(run, bare)
      expect(JSON.parse(run.out).artifacts.map(({ kind }: { kind: string }) => kind)).toContain('report_pdf')
      const tested = await enter('root', bare, TEST)
      expect(tested.out, tested.err).toMatch(/\n[1-9]\d* passed, 0 failed\n$/)
    },
  )

  test.runIf(IS_POSSIBLE)(`root in a container without user namespaces${NOTE}`, { timeout: DEADLINE }, async () => {
    expectRun(await enter('container', bare, RUN), bare)
  })

  test.runIf(IS_POSSIBLE)(
    `an ordinary user, in a folder with a space, with and without user namespaces${NOTE}`,
    { timeout: 2 * DEADLINE },
    async () => {
      const own = { system: bare.system, folder: '/home/newcomer/my sonde' }
      putProduct(own.system, own.folder, 1000)
      expectRun(await enter('user', own, RUN), own)
      expectRun(await enter('user-container', own, RUN), own)
    },
  )

  test.runIf(IS_POSSIBLE)(
    `an ordinary user with Debian's npm and nothing else: what is missing is said, and it goes on${NOTE}`,
    { timeout: 2 * DEADLINE },
    async () => {
      const own = { system: await systemOf(release, 'user'), folder: '/home/newcomer/sonde' }
      const npm = await enter(
        'root',
        { ...own, folder: '/' },
        'apt-get update -q && apt-get install -y -q --no-install-recommends npm',
      )
      expect(npm.code, npm.err).toBe(0)
      putProduct(own.system, own.folder, 1000)
      const run = await enter('user', own, RUN, true)
      expectRun(run, own)
      expect(run.err).toMatch(/An administrator can install it:\n.*texlive-xetex.*chromium-headless-shell/)
      const tested = await enter('user', own, TEST_OF_USER, true)
      expect(tested.out, tested.err).toMatch(/\n[1-9]\d* passed, 0 failed\n$/)
    },
  )
})
