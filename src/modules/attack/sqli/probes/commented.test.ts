/** Numbers where a statement takes no expression. The server is one of ours that reads comments as MySQL and MariaDB do. */
import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isAnsweredExactly } from '../boolean.ts'
import { probePoint } from '../collect.ts'
import type { SqliHit } from '../facts.ts'

const VISITS = Array.from({ length: 40 }, (_, at) => `visit ${at}`)
const SERVER = 101_119

/** What a LIMIT shows; null where the statement is none. */
const limited = (limit: string): readonly string[] | null => {
  const read = limit
    .replace(/\/\*!(\d{5,6})(.*?)\*\//gs, (_, version: string, text: string) =>
      Number(version) <= SERVER ? text : ' ',
    )
    .replace(/\/\*(?!!).*?\*\//gs, ' ')
    .replace(/-- .*$/s, '')
  const numbers = /^\s*(\d+)\s*(?:,\s*(\d+)\s*)?$/.exec(read)
  return numbers && VISITS.slice(0, Number(numbers[2] ?? numbers[1]))
}

const asked = async (answer: (value: string) => string, value = '10') => {
  const { probe, sent } = fakeProbe((one) => ({ text: answer(one) }), { place: 'cookie', name: 'rows', value })
  const hits: SqliHit[] = []
  await probePoint(probe, (hit) => hits.push(hit))
  return { hits, sent }
}

const pageOf = (rows: readonly string[]): string => `<h1>Visits</h1><p>${rows.length} of late</p>${rows.join('<br>')}`

it('are proven by comments that some versions read, where errors are hidden', async () => {
  const { hits } = await asked((value) => pageOf(limited(value) ?? []))
  expect(hits).toHaveLength(1)
  const [hit] = hits
  expect(hit?.technique === 'boolean' && isAnsweredExactly(hit) && hit.boundary).toBe('number, comment for a version')
})

it('are proven on a page that somebody else changes meanwhile', async () => {
  let answers = 0
  const { hits } = await asked((value) => {
    answers += 1
    return `<p>Signed in as ${answers < 9 ? 'Ada' : 'Ada Byron'}</p>${pageOf(limited(value) ?? [])}`
  })
  expect(hits).toHaveLength(1)
})

it.each([
  [
    'read as far as they are numbers',
    (value: string) => pageOf(limited(String(Number.parseInt(value, 10) || 0)) ?? []),
  ],
  [
    'refused where they are more than numbers',
    (value: string) => pageOf(/^\d+$/.test(value) ? (limited(value) ?? []) : []),
  ],
  ['cut out of whatever stands there', (value: string) => pageOf(limited(value.replace(/\D/g, '').slice(0, 2)) ?? [])],
  [
    'freed of all comments before they are checked',
    (value: string) => {
      const bare = value.replace(/\/\*.*?\*\//gs, '')
      return pageOf(/^\d+$/.test(bare) ? (limited(bare) ?? []) : [])
    },
  ],
])('are nothing where they are %s', async (_name, answer) => {
  expect((await asked(answer)).hits).toEqual([])
})

it('are not asked where a text stands', async () => {
  const { sent } = await asked((value) => pageOf(value === 'all' ? VISITS : []), 'all')
  expect(sent.some((value) => value.includes('/*!9'))).toBe(false)
})
