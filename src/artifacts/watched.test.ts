import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { oneKey } from '../contract/secret-keys.ts'
import type { ObjectStorage } from './artifacts.ts'
import { fsStorage } from './fs.ts'
import { watchStorage } from './watched.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sonde-watched-'))
  folder = join(root, 'files')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = (more: { leastFree?: number } = {}): ObjectStorage =>
  fsStorage({ folder, keys: oneKey(Buffer.alloc(32)), baseUrl: () => 'http://sonde.test', ...more })
/** Counts the looks at the real one. */
const counting = (storage: ObjectStorage): ObjectStorage & { readonly looks: () => number } => {
  let looks = 0
  return {
    ...storage,
    looks: () => looks,
    check: () => {
      looks += 1
      return storage.check()
    },
  }
}
const TEXT = { contentType: 'text/plain' }

test('however often it is asked, it looks once in a while', async () => {
  const real = counting(open())
  const watched = watchStorage(real, { fresh: 60_000, answer: 60_000 })
  await Promise.all(Array.from({ length: 50 }, () => watched.check()))
  await watched.check()
  expect(real.looks()).toBe(1)
})

test('a write is as good as a look, and a failed one as bad', async () => {
  const real = counting(open())
  const watched = watchStorage(real, { fresh: 60_000, answer: 60_000 })
  await watched.put('runs/a', Buffer.from('a'), TEXT)
  await watched.check()
  expect(real.looks()).toBe(0)
  rmSync(folder, { recursive: true })
  // A file in the folder's place: nothing can be written below it.
  writeFileSync(folder, '')
  await expect(watched.put('runs/b', Buffer.from('b'), TEXT)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(watched.check()).rejects.toMatchObject({ code: 'unavailable' })
  expect(real.looks()).toBe(0)
})

test('it is seen to be away, and to be back', async () => {
  const watched = watchStorage(open(), { fresh: 20, answer: 60_000 })
  await watched.check()
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  const works = () =>
    watched.check().then(
      () => true,
      () => false,
    )
  await until(async () => !(await works()))
  rmSync(folder)
  mkdirSync(folder)
  await until(works)
})

test('a disk that is nearly full is no storage', async () => {
  await expect(watchStorage(open({ leastFree: Number.MAX_SAFE_INTEGER })).check()).rejects.toMatchObject({
    code: 'full',
  })
  await open({ leastFree: 0 }).check()
})

test('one that does not answer has failed', async () => {
  const silent = { ...open(), check: () => delay(60_000, undefined, { ref: false }) }
  const watched = watchStorage(silent, { fresh: 0, answer: 50 })
  await expect(watched.check()).rejects.toMatchObject({ code: 'unavailable', message: /did not answer/ })
})
