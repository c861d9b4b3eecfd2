/** One suite for every driver: what the API and the worker rely on must hold on all of them. */

import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openS3 } from '../../tests/support/s3.ts'
import { oneKey } from '../contract/secret-keys.ts'
import type { ObjectStorage } from './artifacts.ts'
import { fsStorage } from './fs.ts'
import { s3Storage } from './s3.ts'
import { attachment, FILES_PATH, verifyFile } from './signed-url.ts'

interface Rig {
  readonly storage: ObjectStorage
  readonly close: () => Promise<void>
}

const SECRET = oneKey(Buffer.alloc(32, 7))

/** The directory driver with the smallest possible server of its signed addresses. */
const fsRig = async (): Promise<Rig> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-artifacts-'))
  let baseUrl = ''
  const storage = fsStorage({ folder, keys: SECRET, baseUrl: () => baseUrl })
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', baseUrl)
    const key = decodeURIComponent(url.pathname.slice(FILES_PATH.length))
    const verdict = verifyFile(SECRET, key, Object.fromEntries(url.searchParams), new Date())
    if (!verdict.ok) return response.writeHead(403).end(verdict.why)
    const { stream } = await storage.get(key)
    response.writeHead(200, {
      'content-type': verdict.grant.contentType,
      'content-disposition': attachment(verdict.grant.filename),
    })
    return stream.pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  baseUrl = `http://127.0.0.1:${address.port}`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  }
  return { storage, close }
}

const s3Rig = async (): Promise<Rig> => {
  const server = await openS3()
  const storage = s3Storage({ ...server, prefix: 'some/prefix/', pathStyle: true })
  return { storage, close: async () => storage.close() }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const read = async (storage: ObjectStorage, key: string): Promise<Buffer> => buffer((await storage.get(key)).stream)
const about = { contentType: 'application/octet-stream' }
const chunks = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
  )

describe.each([
  ['directory', fsRig],
  ['S3', s3Rig],
] as const)('storage in a %s', (_name, makeRig) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await makeRig()
  }, 90_000)
  afterAll(() => rig.close())

  const BODIES: readonly [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['one byte', Buffer.from('x')],
    ['every byte value', Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
    ['exactly one part', randomBytes(8 * 1024 * 1024)],
    ['two parts and a bit', randomBytes(16 * 1024 * 1024 + 13)],
  ]

  test.each(BODIES)('%s comes back whole, given as a buffer and as a stream', async (name, body) => {
    for (const [how, given] of [
      ['buffer', body],
      ['stream', chunks(body, 100_003)],
    ] as const) {
      const key = `runs/${how}/${name.replaceAll(' ', '-')}.bin`
      expect(await rig.storage.put(key, given, about)).toEqual({ size: body.length, sha256: sha256(body) })
      const got = await rig.storage.get(key)
      expect(got.size).toBe(body.length)
      expect(sha256(await buffer(got.stream))).toBe(sha256(body))
    }
  })

  test('writing again replaces the object', async () => {
    await rig.storage.put('again', Buffer.from('first, and longer'), about)
    await rig.storage.put('again', Buffer.from('second'), about)
    expect((await read(rig.storage, 'again')).toString()).toBe('second')
  })

  test.each([
    ['the first bytes', { start: 0, end: 3 }, '0123'],
    ['the middle', { start: 4, end: 6 }, '456'],
    ['the last byte', { start: 9, end: 9 }, '9'],
    ['an end behind the object', { start: 7, end: 1000 }, '789'],
  ])('a range: %s', async (_trick, range, expected) => {
    await rig.storage.put('ranged', Buffer.from('0123456789'), about)
    const got = await rig.storage.get('ranged', range)
    expect([got.size, await text(got.stream)]).toEqual([10, expected])
  })

  test('a range that begins behind the object is refused', async () => {
    await rig.storage.put('short', Buffer.from('0123456789'), about)
    await expect(rig.storage.get('short', { start: 10, end: 12 })).rejects.toMatchObject({ code: 'range' })
  })

  test('what is not there is missing, and deleting it is no error', async () => {
    await expect(rig.storage.get('runs/none/report.pdf')).rejects.toMatchObject({ code: 'missing' })
    await rig.storage.delete('runs/none/report.pdf')
  })

  test('a deleted object is gone', async () => {
    await rig.storage.put('gone', Buffer.from('x'), about)
    await rig.storage.delete('gone')
    await expect(rig.storage.get('gone')).rejects.toMatchObject({ code: 'missing' })
  })

  test('a stream that breaks leaves the old object, and no new one', async () => {
    const breaking = (): Readable =>
      Readable.from(
        (async function* () {
          yield randomBytes(9 * 1024 * 1024)
          throw new Error('the source broke')
        })(),
      )
    await rig.storage.put('kept', Buffer.from('old'), about)
    await expect(rig.storage.put('kept', breaking(), about)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(rig.storage.put('never', breaking(), about)).rejects.toMatchObject({ code: 'unavailable' })
    expect((await read(rig.storage, 'kept')).toString()).toBe('old')
    await expect(rig.storage.get('never')).rejects.toMatchObject({ code: 'missing' })
  })

  test.each([
    ['a parent folder', '../secret'],
    ['a parent folder inside', 'runs/../../secret'],
    ['a leading slash', '/etc/passwd'],
    ['a trailing slash', 'runs/'],
    ['an empty segment', 'runs//x'],
    ['a NUL', 'runs/x\0.pdf'],
    ['a backslash', 'runs\\x'],
    ['a hidden file', 'runs/.x'],
    ['a percent sign', 'runs/%2e%2e/x'],
    ['a line break', 'runs/x\n'],
    ['nothing', ''],
    ['too long', 'a/'.repeat(300)],
    ['a long name', 'a'.repeat(201)],
  ])('a key with %s is refused by every verb', async (_trick, key) => {
    const refusal = { code: 'bad_key' }
    await expect(rig.storage.put(key, Buffer.from('x'), about)).rejects.toMatchObject(refusal)
    await expect(rig.storage.get(key)).rejects.toMatchObject(refusal)
    await expect(rig.storage.delete(key)).rejects.toMatchObject(refusal)
    const request = { filename: 'x', contentType: 'text/plain', expiresIn: 300, now: new Date() }
    await expect(rig.storage.signedUrl(key, request)).rejects.toMatchObject(refusal)
  })

  describe('a signed address', () => {
    const sign = async (more: { expiresIn?: number; now?: Date } = {}) => {
      await rig.storage.put('runs/1/report.pdf', Buffer.from('%PDF'), { contentType: 'application/pdf' })
      await rig.storage.put('runs/2/report.pdf', Buffer.from('other'), { contentType: 'application/pdf' })
      const request = { filename: 'Prüfbericht "1".pdf', contentType: 'application/pdf', expiresIn: 300 }
      return rig.storage.signedUrl('runs/1/report.pdf', { ...request, now: new Date(), ...more })
    }

    test('gives the file to anyone, under its name', async () => {
      const response = await fetch((await sign()).url)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/pdf')
      expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''Pr%C3%BCfbericht%20%221%22.pdf")
      expect(await response.text()).toBe('%PDF')
    })

    test('says when it ends', async () => {
      const { expiresAt } = await sign({ expiresIn: 60, now: new Date('2026-01-02T03:04:05.678Z') })
      expect(expiresAt.toISOString()).toBe('2026-01-02T03:05:05.000Z')
    })

    test.each([
      ['of another key', (url: string) => url.replace('runs/1/', 'runs/2/')],
      [
        'with a later expiry',
        (url: string) => url.replace(/(expires=|Expires=)(\d+)/i, (_all, name) => `${name}9999999999`),
      ],
      ['with another name', (url: string) => url.replace('=Pr', '=Xr').replace('%3D%22Pr', '%3D%22Xr')],
      [
        'with a bit of the signature flipped',
        (url: string) => url.replace(/(signature=.)(.)/i, (_a, s, c) => s + (c === 'a' ? 'b' : 'a')),
      ],
      ['without its query', (url: string) => url.split('?')[0] ?? ''],
    ])('%s is refused', async (_trick, alter) => {
      const { url } = await sign()
      const altered = alter(url)
      expect(altered).not.toBe(url)
      const response = await fetch(altered)
      expect(response.ok).toBe(false)
      expect([400, 403]).toContain(response.status)
      await response.body?.cancel()
    })

    test('is refused once it has expired', async () => {
      const { url } = await sign({ expiresIn: 60, now: new Date(Date.now() - 61_000) })
      const response = await fetch(url)
      expect(response.status).toBe(403)
      await response.body?.cancel()
    })
  })

  test('the check passes and leaves nothing', async () => {
    await rig.storage.check()
  })
})

describe('the directory', () => {
  test('files are for the owner alone, and no temporary one stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sonde-artifacts-'))
    try {
      const storage = fsStorage({ folder: join(folder, 'files'), keys: SECRET, baseUrl: () => '' })
      await storage.put('a/b', Buffer.from('x'), about)
      expect((await stat(join(folder, 'files/a'))).mode & 0o777).toBe(0o700)
      expect((await stat(join(folder, 'files/a/b'))).mode & 0o777).toBe(0o600)
      expect(await readdir(join(folder, 'files/a'))).toEqual(['b'])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
