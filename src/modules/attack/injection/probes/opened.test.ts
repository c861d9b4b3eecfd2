/** Programs that open what a name says, in a folder of their own, and say what the system answered. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { openedFileWays } from './opened.ts'

const dir = mkdtempSync(join(tmpdir(), 'opened-'))
afterAll(() => rmSync(dir, { recursive: true }))

const told = (work: (name: string) => unknown) => (name: string) => {
  try {
    return { text: String(work(name)) }
  } catch (error) {
    return { status: 500, text: JSON.stringify({ message: (error as Error).message }) }
  }
}
const writes = (name: string): string => {
  writeFileSync(join(dir, name), 'text')
  return 'Kept'
}
const PHP = (name: string): string =>
  `<b>Warning</b>: file_put_contents(/srv/www/uploads/${name}): Failed to open stream: No such file or directory in <b>/srv/www/keep.php</b>`

const WINDOWS = (name: string): string =>
  JSON.stringify({ error: `Could not find a part of the path 'C:\\data\\in\\${name.replaceAll('/', '\\')}'.` })

it.each([
  ['a name to write to, resolved', told(writes), 1],
  ['a name to read, resolved', told((name) => readFileSync(join(dir, name), 'utf8')), 1],
  ['a name behind a folder, as it was put together', (name: string) => ({ text: PHP(name) }), 1],
  ['a name on Windows', (name: string) => ({ text: WINDOWS(name) }), 1],
  ['a name on Windows, without what leads out', (name: string) => ({ text: WINDOWS(name.replaceAll('../', '')) }), 0],
  ['its last part alone', told((name) => writes(basename(name))), 0],
  [
    'a name that is refused where it leads out',
    told((name) => {
      if (name.includes('..')) throw new Error('No such name')
      return writes(name)
    }),
    0,
  ],
  ['a message that repeats what was sent', (name: string) => ({ text: `No such file or directory: ${name}` }), 0],
  ['a page that repeats what was sent', (name: string) => ({ text: `<p>${name}</p>` }), 0],
] as const)('%s', async (_name, answer, expected) => {
  const { probe, sent } = fakeProbe(answer, { name: 'file', value: 'letter.txt' })
  const hit = await firstOf(openedFileWays(probe))
  expect(hit === null ? 0 : Number(isProven(hit))).toBe(expected)
  expect(sent.length).toBeLessThanOrEqual(3)
})

it('is asked of names alone', () => {
  const asked = (name: string, value: string, body: string | null = null, place: 'json' | 'form' = 'form'): number =>
    openedFileWays(fakeProbe(() => ({ text: '' }), { name, value, place, request: { body } }).probe).length
  expect([asked('amount', '3'), asked('comment', 'Fine'), asked('q', 'tent')]).toEqual([0, 0, 0])
  expect([asked('name', 'Ida', 'name=Ida&mail=a'), asked('/name', 'Ida', '{"name":"Ida","age":3}', 'json')]).toEqual([
    0, 0,
  ])
  const upload = '{"query":"mutation","variables":{"name":"test","content":"test"}}'
  expect([asked('/variables/name', 'test', upload, 'json'), asked('x', 'a.txt'), asked('fileName', '')]).toEqual([
    1, 1, 1,
  ])
})
