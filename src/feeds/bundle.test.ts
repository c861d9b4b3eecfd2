/** Feeds in one signed file: there and back, and every way in which it may not be what its signer made. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readActive } from '../knowledge/feeds/active.ts'
import { FEED_IDS } from '../knowledge/feeds/feed.ts'
import { importFeed } from '../knowledge/feeds/import.ts'
import { openFeed } from '../knowledge/feeds/items.ts'
import { verifyFeed } from '../knowledge/feeds/state.ts'
import { isBundle, readBundle, writeBundle } from './bundle.ts'
import { checkFile, newSigningKey, publicKeyOf, signFile } from './minisign.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sonde-bundle-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const text = (name: string, content: string): string => {
  writeFileSync(join(home, name), content)
  return join(home, name)
}
const kev = (id: string) =>
  text('kev.json', JSON.stringify({ vulnerabilities: [{ cveID: id, dateAdded: '2026-05-01' }] }))

const key = newSigningKey()
const early = new Date('2026-11-20T10:00:00Z')
const late = new Date('2026-11-21T10:00:00Z')

/** A feed that is looked up, and one that is kept as it is. */
const filled = (name: string, id = 'CVE-2026-1000', at = early): string => {
  const folder = join(home, name)
  importFeed(folder, 'kev', kev(id), at)
  importFeed(folder, 'filters', text('list.txt', `[Adblock Plus]\n||${id.toLowerCase()}.test^\n`), at)
  return folder
}

const bundle = async (folder: string): Promise<string> => {
  const path = join(home, 'feeds.bundle')
  await writeBundle(folder, path, FEED_IDS, { key, now: late })
  return path
}

describe('a bundle', () => {
  it('brings every feed to another folder, as it was', async () => {
    const from = filled('from')
    const path = await bundle(from)
    expect(await isBundle(path)).toBe(true)
    const to = join(home, 'to')
    const came = await readBundle(to, path, publicKeyOf(key))
    expect(came.map(({ feed, active }) => [feed, active?.version])).toEqual(
      (['kev', 'filters'] as const).map((feed) => [feed, readActive(from, feed)?.version]),
    )
    expect((['kev', 'filters'] as const).map((feed) => verifyFeed(to, feed))).toEqual([null, null])
    const opened = openFeed(to, 'kev')
    expect(opened?.get('CVE-2026-1000')).toMatchObject({ date_added: '2026-05-01' })
    opened?.close()
  })

  it('leaves alone what is as new, and replaces what is older', async () => {
    const path = await bundle(filled('from', 'CVE-2026-2000', late))
    const to = filled('to', 'CVE-2026-1000', early)
    const newer = filled('newer', 'CVE-2026-3000', new Date('2026-11-22T10:00:00Z'))
    const came = async (folder: string) =>
      (await readBundle(folder, path, publicKeyOf(key))).map(({ active }) => active !== null)
    expect(await came(to)).toEqual([true, true])
    expect(await came(newer)).toEqual([false, false])
    expect(await came(to)).toEqual([false, false])
  })

  it.each([
    ['an octet of the data changed', (whole: Buffer) => flip(whole, whole.indexOf(Buffer.from([0x1f, 0x8b, 8])) + 60)],
    ['its end cut off', (whole: Buffer) => whole.subarray(0, whole.length - 2_000)],
    ['its comment changed', (whole: Buffer) => flip(whole, whole.indexOf('trusted comment: sonde') + 20)],
  ])('is refused with %s, and nothing comes in', async (_name, change) => {
    const path = await bundle(filled('from'))
    writeFileSync(path, change(readFileSync(path)))
    const to = join(home, 'to')
    await expect(readBundle(to, path, publicKeyOf(key))).rejects.toThrow(/does not hold|cannot be unpacked/)
    expect(readActive(to, 'kev')).toBeNull()
  })

  it('is refused where another key signed it, or none is trusted', async () => {
    const path = await bundle(filled('from'))
    const other = publicKeyOf(newSigningKey())
    await expect(readBundle(join(home, 'to'), path, other)).rejects.toThrow(/signed by the key [\dA-F]{16}, and not/)
    await expect(readBundle(join(home, 'to'), path, null)).rejects.toThrow(/--key or SONDE_FEEDS_KEY/)
    await expect(readBundle(join(home, 'to'), path, 'RWQ')).rejects.toThrow(/no public key/)
  })

  it('is none without anything in it', async () => {
    await expect(bundle(join(home, 'empty'))).rejects.toThrow('nothing to put in')
    expect(await isBundle(kev('CVE-2026-1000'))).toBe(false)
  })
})

describe('signatures', () => {
  /** Made by minisign 0.11 itself. */
  const REAL = {
    key: 'RWQPDOUXtmICcwFq7RCxiBSNuruubzJNgxNyjwy1FwFOGVEzgnIv1U9u',
    signature: [
      'untrusted comment: signature from minisign secret key',
      'RUQPDOUXtmICc3x12vdTO2BcWxY7BZn3AdtJB1RMlsqBoOZ6BZscOlzLma+pAHG71/PA7oPkFnFrrYTmFLcpychuPsHUMchFygM=',
      'trusted comment: signed by the real program',
      'BNzR0XyXL96z8OqQH44aFNyIfUMJqisWT+yshr0a5fFLk97NR5s4UUabdjubGLbppgcqyOfAnMAwOttBA8jwDA==',
      '',
    ].join('\n'),
  }

  it('of the real program are read, with their comment', async () => {
    expect(await checkFile(text('f', 'hello\n'), REAL.signature, REAL.key)).toBe('signed by the real program')
    await expect(checkFile(text('f', 'hellO\n'), REAL.signature, REAL.key)).rejects.toThrow('does not hold')
  })

  it('vouch for their comment, too', async () => {
    const path = text('f', 'hello')
    const signature = await signFile(path, key, 'of Monday')
    expect(await checkFile(path, signature, publicKeyOf(key))).toBe('of Monday')
    const changed = signature.replace('Monday', 'Sunday')
    await expect(checkFile(path, changed, publicKeyOf(key))).rejects.toThrow('does not hold')
  })
})

const flip = (whole: Buffer, at: number): Buffer => {
  const changed = Buffer.from(whole)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}
