import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import yazl from 'yazl'
import { archiveKind, type Bounds, unpack } from './archive.ts'
import { namesUnder } from './files.ts'
import { openFolderFeed } from './folders.ts'
import { importPackedFeed } from './import.ts'
import { verifyFeed } from './state.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-archive-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Entry = readonly [header: Partial<Header> & Pick<Header, 'name'>, content?: string | Buffer]

const tar = async (...entries: readonly Entry[]): Promise<Buffer> => {
  const archive = pack()
  for (const [header, content] of entries) archive.entry(header, content ?? '')
  archive.finalize()
  return buffer(archive)
}
const zip = async (...entries: readonly Entry[]): Promise<Buffer> => {
  const archive = new yazl.ZipFile()
  for (const [{ name }, content] of entries) archive.addBuffer(Buffer.from(content ?? ''), name)
  archive.end()
  return buffer(archive.outputStream)
}
const xz = (content: Buffer): Buffer => execFileSync('xz', ['-c'], { input: content, timeout: 20_000 })

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

const BOUNDS: Bounds = { entries: 10, file: 1_000, total: 2_000, ratio: 300 }
const into = async (name: string, content: Buffer, bounds?: Bounds): Promise<readonly string[]> => {
  const path = file(name, content)
  const kind = await archiveKind(path)
  if (kind === null) throw new Error('no archive')
  const target = join(folder, 'into')
  mkdirSync(target)
  await unpack(path, kind, target, bounds)
  return namesUnder(target)
}

const TEMPLATE = 'id: one\ninfo:\n  name: One\n  severity: info\n'
const CATALOGUE: readonly Entry[] = [
  [{ name: 'catalogue/http/one.yaml' }, TEMPLATE],
  [{ name: 'catalogue/http/two.yaml' }, TEMPLATE.replace('one', 'two')],
  [{ name: 'catalogue/helpers/words.txt' }, 'a\nb\n'],
  [{ name: 'catalogue/profiles/all.yml' }, 'type:\n  - http\n'],
]

describe('kinds, whatever the file is called', () => {
  it.each([
    ['tar', async () => tar(...CATALOGUE)],
    ['tar.gz', async () => gzipSync(await tar(...CATALOGUE))],
    ['xz', async () => xz(await tar(...CATALOGUE))],
    ['zip', async () => zip(...CATALOGUE)],
  ] as const)('%s', async (kind, make) => {
    const path = file('feed.bin', await make())
    expect(await archiveKind(path)).toBe(kind)
    const made = await importPackedFeed(join(folder, 'k'), null, path, new Date('2026-11-20T10:00:00Z'))
    expect(made).toMatchObject({ feed: 'templates', records: 2, source: 'feed.bin' })
    const open = openFolderFeed(join(folder, 'k'), 'templates')
    expect(open && namesUnder(open.path)).toEqual([
      'helpers/words.txt',
      'http/one.yaml',
      'http/two.yaml',
      'profiles/all.yml',
    ])
    expect(verifyFeed(join(folder, 'k'), 'templates')).toBeNull()
    expect(readdirSync(join(folder, 'k', 'incoming'))).toEqual([])
  })

  it('a single file in xz', async () => {
    const kev = JSON.stringify({ vulnerabilities: [{ cveID: 'CVE-2024-1000', dateAdded: '2024-05-01' }] })
    const made = await importPackedFeed(join(folder, 'k'), null, file('kev.json.xz', xz(Buffer.from(kev))), new Date())
    expect(made).toMatchObject({ feed: 'kev', records: 1, source: 'kev.json.xz' })
  })

  it.each([
    ['tar', tar],
    ['zip', zip],
  ])('%s: small and large entries are unpacked as they were', async (name, make) => {
    const large = Buffer.from(Array.from({ length: 1_500_000 }, (_, at) => at % 251))
    const entries: readonly Entry[] = [
      [{ name: 'a/empty.json' }, ''],
      [{ name: 'a/small.json' }, 'ä'.repeat(5_000)],
      [{ name: 'b/large.bin' }, large],
      [{ name: 'b/random.bin' }, randomBytes(20_000)],
    ]
    expect(await into(`x.${name}`, await make(...entries))).toEqual(entries.map(([one]) => one.name))
    for (const [one, content = ''] of entries)
      expect(readFileSync(join(folder, 'into', one.name)).equals(Buffer.from(content))).toBe(true)
  })

  it('a zip whose sizes are not those of its entries is refused', async () => {
    const whole = await zip([{ name: 'a.json' }, 'x'.repeat(500)])
    const central = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    whole.writeUInt32LE(499, central + 24)
    await expect(into('x.zip', whole)).rejects.toThrow(/cannot be unpacked/)
  })

  it('a single file in gzip is none', async () => {
    expect(await archiveKind(file('kev.json.gz', gzipSync('{}')))).toBeNull()
    expect(await archiveKind(file('kev.json', '{}'))).toBeNull()
  })

  it('the same catalogue gives the same hash as folder, archive and checkout', async () => {
    const archive = await importPackedFeed(
      join(folder, 'a'),
      'templates',
      file('c.zip', await zip(...CATALOGUE)),
      new Date(),
    )
    for (const [{ name }, content] of CATALOGUE) file(name, content ?? '')
    const commit = 'a'.repeat(40)
    file('catalogue/.git/HEAD', 'ref: refs/heads/main\n')
    file('catalogue/.git/packed-refs', `# pack-refs with: peeled\n${commit} refs/heads/main\n`)
    const checkout = await importPackedFeed(join(folder, 'b'), null, join(folder, 'catalogue'), new Date())
    expect(checkout).toMatchObject({ feed: 'templates', sha256: archive.sha256, revision: commit })
  })
})

describe('refused, with nothing written outside', () => {
  it.each([
    [
      'a name that climbs',
      async () => tar([{ name: '../../out.txt' }, 'x']),
      /\.\.\/\.\.\/out\.txt: its name leads out/,
    ],
    ['a name that climbs after a folder', async () => tar([{ name: 'a/../../out.txt' }, 'x']), /leads out/],
    ['an absolute name', async () => tar([{ name: '/tmp/out.txt' }, 'x']), /leads out/],
    ['a backslash', async () => tar([{ name: '..\\out.txt' }, 'x']), /leads out/],
    ['a link that leads out', async () => tar([{ name: 'l', type: 'symlink', linkname: '../../etc' }]), /, l: a link/],
    ['an absolute link', async () => tar([{ name: 'l', type: 'symlink', linkname: '/etc/passwd' }]), /a link to/],
    ['a hard link that leads out', async () => tar([{ name: 'd/l', type: 'link', linkname: '../x' }]), /a link to/],
    ['a device', async () => tar([{ name: 'd', type: 'character-device' }]), /a character-device has no place/],
    ['a file that comes twice', async () => tar([{ name: 'a' }, '1'], [{ name: 'a' }, '2']), /EEXIST/],
    ['a file as a folder', async () => tar([{ name: 'a' }, '1'], [{ name: 'a/b' }, '2']), /cannot be unpacked/],
    ['too large a file', async () => tar([{ name: 'a' }, 'x'.repeat(1_001)]), /, a: it unpacks to too much/],
    [
      'too much together',
      async () => tar(...[1, 2, 3].map((n): Entry => [{ name: `${n}` }, 'x'.repeat(900)])),
      /, 3: it unpacks to too much/,
    ],
    [
      'too many entries',
      async () => tar(...Array.from({ length: 11 }, (_, n): Entry => [{ name: `${n}` }])),
      /more than 10 entries/,
    ],
    [
      'a tar that ends early',
      async () => (await tar([{ name: 'a' }, 'x'.repeat(900)])).subarray(0, 700),
      /cannot be unpacked/,
    ],
    ['a gzip that is damaged', async () => gzipSync(await tar(...CATALOGUE)).subarray(0, -20), /cannot be unpacked/],
    ['an xz that is damaged', async () => xz(await tar(...CATALOGUE)).subarray(0, -20), /cannot be unpacked/],
    ['a zip without its directory', async () => (await zip(...CATALOGUE)).subarray(0, -30), /cannot be unpacked/],
    ['a zip entry that is too large', async () => zip([{ name: 'a' }, 'x'.repeat(1_001)]), /it unpacks to too much/],
    [
      'a zip name that climbs',
      async () =>
        Buffer.from((await zip([{ name: 'aa/out.txt' }, 'x'])).toString('latin1').replaceAll('aa/', '../'), 'latin1'),
      /cannot be unpacked: invalid relative path/,
    ],
  ])('%s', async (_trick, make, message) => {
    await expect(into('feed.bin', await make(), BOUNDS)).rejects.toThrow(message)
    expect(existsSync(join(folder, 'out.txt'))).toBe(false)
  })

  it('a bomb stops at the bound, whatever size it names', async () => {
    const bomb = execFileSync('sh', ['-c', 'head -c 100000000 /dev/zero | gzip -9'], { maxBuffer: 2 ** 24 })
    // A bare stream of zeros is no tar: the header of one huge file goes first.
    const head = (await tar([{ name: 'zeros', size: 0 }])).subarray(0, 512)
    head.write('02000000000\0', 124, 'latin1')
    head.fill(' ', 148, 156)
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
      'latin1',
    )
    const packed = Buffer.concat([gzipSync(head), bomb])
    await expect(into('bomb.tar.gz', packed)).rejects.toThrow(/it unpacks to too much/)
  })

  it('a link that stays inside is passed over', async () => {
    const content = await tar([{ name: 'a/b.txt' }, 'x'], [{ name: 'a/l', type: 'symlink', linkname: 'b.txt' }])
    expect(await into('feed.tar', content)).toEqual(['a/b.txt'])
  })
})

describe('folders that are kept', () => {
  const good = (): Promise<Buffer> => tar(...CATALOGUE)

  it.each([
    ['a template that is no YAML', 'id: [one\ninfo: {}\n', /^http\/x\.yaml, line 2: no YAML/],
    ['a template without id', 'info:\n  name: x\n', /^http\/x\.yaml: “id” is missing/],
    ['a template without info', 'id: x\n', /^http\/x\.yaml: “info” is missing/],
    ['a list', '- id\n', /^http\/x\.yaml: it is no mapping/],
  ])('%s refuses the catalogue and the old one stays', async (_trick, text, message) => {
    const home = join(folder, 'k')
    const before = await importPackedFeed(home, 'templates', file('c.tar', await good()), new Date())
    const broken = await tar(...CATALOGUE, [{ name: 'catalogue/http/x.yaml' }, text])
    await expect(importPackedFeed(home, 'templates', file('d.tar', broken), new Date())).rejects.toThrow(message)
    expect(openFolderFeed(home, 'templates')?.version).toBe(before.version)
    expect(readdirSync(join(home, 'templates')).toSorted()).toEqual([`${before.version}.d`, 'active.json'])
  })

  it.each([
    [
      'recog',
      'a/xml/x.xml',
      '<fingerprints matches="x"><fingerprint/></fingerprints>',
      /^xml\/x\.xml: fingerprint 1 has no pattern/,
    ],
    ['recog', 'x.xml', '<fingerprints>', /^x\.xml: the document does not end/],
    ['filters', 'x.txt', '||ads.test^\n<html>', /^x\.txt, line 2: it is a page/],
    ['filters', 'x.txt', '! Title: x\n', /^x\.txt: it holds no rule/],
  ] as const)('%s, %s', async (feed, name, text, message) => {
    const archive = await tar([{ name }, text], [{ name: 'a/README' }, 'x'])
    const root = name.startsWith('a/') ? [] : [[{ name: 'b/c' }, ''] as Entry]
    const path = file('d.tar', root.length > 0 ? await tar([{ name }, text], ...root) : archive)
    await expect(importPackedFeed(join(folder, 'k'), feed, path, new Date())).rejects.toThrow(message)
  })

  it('a checkout of Recog: its rules, not its schema', async () => {
    const rules = '<fingerprints matches="ftp.banner"><fingerprint pattern="^x$"/></fingerprints>'
    const path = file('r.zip', await zip([{ name: 'recog/xml/ftp.xml' }, rules], [{ name: 'recog/x.xml' }, '<other/>']))
    expect(await importPackedFeed(join(folder, 'k'), null, path, new Date())).toMatchObject({
      feed: 'recog',
      records: 1,
    })
    expect(namesUnder(openFolderFeed(join(folder, 'k'), 'recog')?.path ?? '')).toEqual(['xml/ftp.xml'])
  })

  it('filter lists count their rules, and verify notices a change', async () => {
    const home = join(folder, 'k')
    const path = file('easy.txt', '[Adblock Plus 2.0]\n! Title: Easy\n||ads.test^\n\n@@||good.test^\n')
    const made = await importPackedFeed(home, null, path, new Date())
    expect(made).toMatchObject({ feed: 'filters', records: 2 })
    const kept = join(openFolderFeed(home, 'filters')?.path ?? '', 'easy.txt')
    expect(readFileSync(kept, 'utf8')).toContain('||ads.test^')
    writeFileSync(kept, 'changed')
    expect(verifyFeed(home, 'filters')).toBe('its files are not those that were imported')
  })

  it('the same files again leave the folder where a run reads it', async () => {
    const home = join(folder, 'k')
    const path = file('c.tar', await good())
    const day = new Date('2026-11-20T10:00:00Z')
    const first = await importPackedFeed(home, 'templates', path, day)
    const again = await importPackedFeed(home, 'templates', path, day)
    expect(again.version).toBe(first.version)
    expect(existsSync(join(openFolderFeed(home, 'templates')?.path ?? '', 'http/one.yaml'))).toBe(true)
  })

  it('two imports at once both end, and one of them counts', async () => {
    const home = join(folder, 'k')
    const other = await tar(...CATALOGUE.slice(1))
    const made = await Promise.all([
      importPackedFeed(home, 'templates', file('c.tar', await good()), new Date()),
      importPackedFeed(home, 'templates', file('d.tar', other), new Date()),
    ])
    expect(made.map(({ version }) => version)).toContain(openFolderFeed(home, 'templates')?.version)
    expect(verifyFeed(home, 'templates')).toBeNull()
  })
})
