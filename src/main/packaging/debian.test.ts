/** The Debian package without its weight: its own files, made into a package twice, and read back by Debian's programs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockedIn } from '../../../scripts/locked-packages.ts'
import { ROOT } from '../builds.ts'
import { PROGRAMS } from '../programs.ts'
import { settingList } from '../settings.ts'
import {
  architecture,
  buildDebian,
  controlText,
  debianTree,
  debianVersion,
  isMaintainer,
  NOBODY_ELSE,
} from './debian.ts'
import { fetchedPlaces, requireDigest } from './other-processor.ts'
import { renderSbom } from './sbom.ts'
import { noticesText } from './third-party.ts'
import { layOut, NODE_PACKAGE, nodePackage, productPlaces, type Tree } from './tree.ts'

const EPOCH = 1_750_000_000
const LABEL = { version: '0.1.0-1', maintainer: NOBODY_ELSE, processor: process.arch }
const OTHER = process.arch === 'x64' ? 'arm64' : 'x64'
const tree = debianTree({ builds: [], packages: {}, notices: 'notices\n', sbom: '{}\n' })
/** All but the sources. */
const own: Tree = Object.fromEntries(
  Object.entries(tree).filter(([path]) => !/^usr\/lib\/sonde\/(?:src|web|catalogue)\//.test(path)),
)

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'sonde-debian-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const built = (name: string): string => {
  const making = join(home, name)
  mkdirSync(making)
  const file = join(home, `${name}.deb`)
  buildDebian(own, LABEL, EPOCH, making, file)
  return file
}
const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

describe('versions', () => {
  test.each([
    ['0.1.0', 1, '0.1.0-1'],
    ['1.0.0-rc.1', 2, '1.0.0~rc.1-2'],
    ['1.0.0-rc-x', 1, '1.0.0~rc.x-1'],
  ])('%s, package %d: %s', (version, revision, expected) => expect(debianVersion(version, revision)).toBe(expected))

  test('what is before a release is older than it', () => {
    const older = spawnSync('dpkg', [
      '--compare-versions',
      debianVersion('1.0.0-rc.1', 9),
      'lt',
      debianVersion('1.0.0', 1),
    ])
    expect(older.status).toBe(0)
  })

  test('a processor without a Node has no package', () => {
    expect(architecture('arm64')).toBe('arm64')
    expect(() => architecture('riscv64')).toThrow('There is no package for riscv64')
  })
})

describe('the package', () => {
  test('has the same bytes twice, at any place', () => {
    expect(digest(built('once'))).toBe(digest(built('twice')))
  })

  test('belongs to root, with its settings kept over upgrades and hidden from others', () => {
    const file = built('read')
    const lines = execFileSync('dpkg-deb', ['--contents', file], {
      encoding: 'utf8',
      env: { TZ: 'UTC', PATH: process.env.PATH },
    })
    for (const line of lines.trim().split('\n')) expect(line).toMatch(/^[d-]\S+ root\/root .* 2025-06-15 15:06 \.\//)
    expect(lines).toMatch(/^-rw-r----- .* \.\/etc\/sonde\/sonde\.env$/m)
    expect(lines).toMatch(/^-rwxr-xr-x .* \.\/usr\/bin\/sonde$/m)
    expect(lines).toMatch(/^-rw-r--r-- .* \.\/usr\/lib\/systemd\/system\/sonde-worker@\.service$/m)
    expect(lines).toMatch(/^-rw-r--r-- .* \.\/usr\/lib\/systemd\/system\/sonde-agent\.service$/m)
    expect(execFileSync('dpkg-deb', ['--info', file, 'conffiles'], { encoding: 'utf8' })).toBe('/etc/sonde/sonde.env\n')
    expect(execFileSync('dpkg-deb', ['--field', file, 'Package', 'Version'], { encoding: 'utf8' })).toBe(
      'Package: sonde\nVersion: 0.1.0-1\n',
    )
    for (const script of ['postinst', 'prerm', 'postrm'])
      expect(execFileSync('sh', ['-n'], { input: execFileSync('dpkg-deb', ['--info', file, script]) }).length).toBe(0)
  })

  test('bears the name of who made it, which is one name with one address', () => {
    const named = 'Ada Ruiz <ada@example.com>'
    expect(controlText(own, { ...LABEL, maintainer: named })).toContain(`\nMaintainer: ${named}\n`)
    expect([named, NOBODY_ELSE, 'Zoë van Dijk-O’Hara <z+p@a.example>'].map(isMaintainer)).toEqual([true, true, true])
    for (const wrong of [
      ...['', 'ada@example.com', 'Ada Ruiz', '<ada@example.com>', 'Ruiz, Ada <ada@example.com>', ' Ada <a@b.example>'],
      ...['Ada <ada>', 'Ada <a@b.example>, Bob <b@b.example>', 'Ada\nPriority: required <a@b.example>'],
    ])
      expect(isMaintainer(wrong), wrong).toBe(false)
  })

  test('for another processor it says that nobody has tried it there', () => {
    expect(controlText(own, { ...LABEL, processor: OTHER })).toMatch(
      /^Architecture: (?:arm64|amd64)\n[\s\S]* \.\n This package was put together [\s\S]*tried on its own\.\n$/m,
    )
    expect(controlText(own, LABEL)).not.toContain('tried')
  })

  test('works without the programs that it recommends', () => {
    const [, depends = ''] = /^Depends: (.*)$/m.exec(controlText(own, LABEL)) ?? []
    const [, recommends = ''] = /^Recommends: (.*)$/m.exec(controlText(own, LABEL)) ?? []
    for (const name of PROGRAMS.flatMap(({ packages }) => packages)) {
      expect(recommends.split(', ')).toContain(name)
      expect(depends).not.toContain(name)
    }
  })

  test('has sources and no tests, and no shop full of holes', () => {
    const paths = Object.keys(tree)
    expect(paths).toEqual(
      expect.arrayContaining(['src/main/cli.ts', 'web/index.html', 'package-lock.json'].map(inHome)),
    )
    expect(paths.filter((path) => /\.test\.ts$|\/(?:testbed|tests|bench)\//.test(path))).toEqual([])
  })

  test('its settings file names every setting of a service, and sets none', () => {
    const source = tree['etc/sonde/sonde.env']
    const text = source !== undefined && 'text' in source ? source.text : ''
    for (const { variable } of settingList()) expect(text).toContain(`\n#${variable}=\n`)
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
    expect(text).not.toContain('SONDE_API_KEY')
  })
})
const inHome = (path: string): string => `usr/lib/sonde/${path}`

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
/** Of systemd's scale from 0 (nothing open) to 10. */
const MOST_EXPOSED = 3

test.runIf(hasSystemd)('the units are in order, and closed to what they need not (needs systemd)', () => {
  const root = join(home, 'root')
  layOut(own, root, EPOCH)
  // What they name beside themselves.
  for (const [unit, type] of [
    ['network-online', 'target'],
    ['nss-lookup', 'target'],
    ['sysinit', 'target'],
    ['basic', 'target'],
    ['shutdown', 'target'],
    ['multi-user', 'target'],
    ['network', 'target'],
    ['postgresql', 'service'],
  ])
    writeFileSync(
      join(root, 'usr/lib/systemd/system', `${unit}.${type}`),
      type === 'target' ? '[Unit]\nDescription=of the system\n' : '[Service]\nExecStart=/usr/bin/sonde\n',
    )
  for (const unit of ['sonde.service', 'sonde-worker@1.service', 'sonde-agent.service']) {
    const verified = spawnSync(
      'systemd-analyze',
      ['verify', '--recursive-errors=no', '--man=no', `--root=${root}`, unit],
      { encoding: 'utf8' },
    )
    expect(`${verified.status} ${verified.stderr}`.trim()).toBe('0')
    const rated = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', `--root=${root}`, unit], {
      encoding: 'utf8',
    })
    const [, level = ''] = /Overall exposure level for \S+: ([\d.]+)/.exec(rated.stdout) ?? []
    expect(Number(level), rated.stderr).toBeGreaterThan(0)
    expect(Number(level)).toBeLessThan(MOST_EXPOSED)
  }
})

describe('what others made', () => {
  const packages = lockedIn(ROOT)
  const installed = productPlaces(packages)
  const bundled = ['node_modules/react']
  const parts = { version: '0.1.0', packages, installed, bundled, epoch: EPOCH }
  const bill = JSON.parse(renderSbom(parts))

  test('installed are those that the product names and what these need, and nothing for development', () => {
    const { dependencies = {} } = packages[''] ?? {}
    for (const name of [...Object.keys(dependencies), NODE_PACKAGE]) expect(installed).toContain(`node_modules/${name}`)
    for (const name of ['vitest', 'vite', 'typescript', '@biomejs/cli-linux-x64', 'react', 'npm'])
      expect(installed).not.toContain(`node_modules/${name}`)
  })

  test('for another processor there are its Node and its modules, in the place of those for this one', () => {
    const others = productPlaces(packages, OTHER)
    const only = (mine: readonly string[], theirs: readonly string[]) => mine.filter((place) => !theirs.includes(place))
    expect(only(others, installed)).toContain(`node_modules/${nodePackage(OTHER)}`)
    expect(only(installed, others)).toContain(`node_modules/${NODE_PACKAGE}`)
    expect(only(others, installed)).toHaveLength(only(installed, others).length)
  })

  test('what is fetched for another processor is the one of the lockfile', () => {
    const bytes = Buffer.from('archive')
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    expect(() => requireDigest(bytes, integrity, 'one')).not.toThrow()
    expect(() => requireDigest(Buffer.from('another'), integrity, 'one')).toThrow(
      'one as it was fetched is not the one',
    )
    for (const none of [undefined, '', 'sha1-AAAA', `${integrity} `])
      expect(() => requireDigest(bytes, none, 'one'), none).toThrow('no digest of one')
  })

  test('what is installed here is taken from here', () => {
    expect(fetchedPlaces(packages, installed, '/nonexistent')('node_modules/zod')).toBe(join(ROOT, 'node_modules/zod'))
  })

  test('the bill has each once, what each needs, and no address of where it came from', () => {
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { timestamp: '2025-06-15T15:06:40.000Z' },
    })
    const refs = bill.components.map((one: Record<string, unknown>) => one['bom-ref'])
    expect(refs).toEqual([...installed, ...bundled].toSorted())
    const known = new Set([...refs, bill.metadata.component['bom-ref']])
    for (const { ref, dependsOn } of bill.dependencies)
      for (const one of [ref, ...dependsOn]) expect(known).toContain(one)
    expect(JSON.stringify(bill)).not.toMatch(/https?:/)
    const node = bill.components.find((one: { name: string }) => one.name === NODE_PACKAGE)
    expect(node).toMatchObject({ version: process.versions.node, cpe: expect.stringContaining('nodejs:node.js:24') })
    expect(node.hashes[0]).toMatchObject({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) })
  })

  test('the same product has the same bill', () => {
    expect(renderSbom(parts)).toBe(`${JSON.stringify(bill, null, 2)}\n`)
    expect(JSON.parse(renderSbom({ ...parts, epoch: EPOCH + 1 })).serialNumber).not.toBe(bill.serialNumber)
  })

  test('licences are passed on with their texts', () => {
    const text = noticesText(['node_modules/zod', `node_modules/${NODE_PACKAGE}`, 'node_modules/zod'])
    expect(text.match(/^zod /gm)).toHaveLength(1)
    expect(text).toMatch(/^zod [\d.]+ \(MIT\)\n\nMIT License\n\nCopyright/m)
    expect(text).toContain('Node.js is licensed for use as follows')
  })

  test('every package that goes out says its licence', () => {
    const notices = noticesText(installed)
    expect(notices.match(/^(?:@[\w.-]+\/)?[\w.-]+ \d[\w.+-]* \(.+\)$/gm)?.length).toBeGreaterThan(100)
  })
})
