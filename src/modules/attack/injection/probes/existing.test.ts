/** Pages that say whether a file is there. */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { askThrough } from './answers.ts'
import { existingWays } from './existing.ts'

const FOLDER = '/srv/docs'
const menu = Array.from({ length: 120 }, (_, index) => `<a href="/part-${index}">part ${index}</a>`).join(' ')

const asked = async (
  isThere: (value: string) => boolean,
  change: Parameters<typeof fakeProbe>[1] = {},
  changes = true,
) => {
  const page = (value: string) => ({
    text: `${menu}<p>${value === 'notes.txt' || isThere(value) ? 'We have this paper' : 'We have no such paper'}.</p>`,
  })
  const { probe, sent } = fakeProbe(page, { name: 'file', value: 'notes.txt', ...change })
  const hit = await firstOf(existingWays(probe, changes).map((way) => () => askThrough(probe, way)))
  return { hit, sent, proven: hit !== null && isProven(hit) }
}

/** Any name is, in a folder of its own; in one of the kernel nothing is made. */
const isWritten = (path: string, text = ''): boolean => {
  if (!path.startsWith('/proc/')) return !path.startsWith('/') || path.startsWith(`${FOLDER}/`)
  try {
    const file = openSync(path, 'a')
    try {
      writeSync(file, text)
    } finally {
      closeSync(file)
    }
    return true
  } catch {
    return false
  }
}

it.each([
  ['joined with its folder', (value: string) => existsSync(join(FOLDER, value))],
  ['as it is where it begins at the root', (value: string) => value.startsWith('/proc/') && existsSync(value)],
])('a name is looked for outside of the folder, %s', async (_name, isThere) => {
  const { hit, proven } = await asked(isThere)
  expect(hit).toMatchObject({ kind: 'traversal', proof: 'answers' })
  expect(proven).toBe(true)
})

it.each([
  ['joined with its folder', (value: string) => isWritten(join(FOLDER, value)), true],
  ['as it is', (value: string) => isWritten(value), true],
  ['with a text', (value: string) => isWritten(join(FOLDER, value), 'A note.'), true],
  ['of which the last is taken alone', (value: string) => isWritten(join(FOLDER, basename(value))), false],
])('a name that is opened to be written, %s', async (_name, isThere, expected) => {
  const { proven, sent } = await asked(isThere, {}, false)
  expect(proven).toBe(expected)
  if (!expected) expect(sent.length).toBeLessThanOrEqual(12)
})

it.each([
  ['takes the last of a path alone', (value: string) => existsSync(join(FOLDER, basename(value)))],
  ['refuses points', (value: string) => !value.includes('..') && existsSync(join(FOLDER, value))],
  ['says yes to any path', (value: string) => value.includes('/')],
])('a page that %s is none', async (_name, isThere) => {
  const { hit, sent } = await asked(isThere)
  expect(hit).toBeNull()
  expect(sent.length).toBeLessThanOrEqual(6)
})

it('what may write is asked for none', async () => {
  const { sent } = await asked((value) => existsSync(join(FOLDER, value)), { request: { effect: 'unknown' } })
  expect(sent).toEqual([])
})
