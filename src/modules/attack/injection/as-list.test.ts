/** A value that is cleaned as a text, and handed to a shell as it came where it is the one member of a list. */
import { expect, it } from 'vitest'
import { firstOf } from '../insertion-points/techniques.ts'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { listWaitWays } from './probes/as-list.ts'

/** `cleans`: what becomes of a text, and of the texts of a list. */
const asked = async (cleans: (text: string, isListed: boolean) => string, effect: { readonly bound?: number } = {}) => {
  const { probe, sent } = fakeProbe(
    (value, changed) => {
      const list = new URL(changed?.url ?? 'http://shop.test/').searchParams.get('q[]')
      const given = list === null ? cleans(value, false) : cleans(list, true)
      const seconds = Number(/\$\(sleep ([\d.]+)\)/.exec(given)?.[1] ?? 0)
      return { text: `<p>${given.replace(/\W.*$/s, '')} is stopped</p>`, ms: 20 + 1_000 * seconds }
    },
    { value: 'tent', request: { url: 'http://shop.test/?q=tent', ...effect } },
  )
  const hit = await firstOf(await listWaitWays(probe))
  return { hit, sent }
}

const cleaned = (text: string): string => text.replace(/[^\w.-]/g, '')

it('is asked for a wait by the list, and proven by waits', async () => {
  const { hit } = await asked((text, isListed) => (isListed ? text : cleaned(text)))
  expect(hit).toMatchObject({ kind: 'command', proof: 'waited' })
})

it('comes to nothing where lists are cleaned as well, with a question or two', async () => {
  const { hit, sent } = await asked(cleaned)
  expect(hit).toBeNull()
  expect(sent.length).toBeLessThanOrEqual(3)
})

it('is asked once where a list is answered otherwise', async () => {
  const { hit, sent } = await asked((text, isListed) => (isListed ? 'none' : cleaned(text)))
  expect([hit, sent]).toEqual([null, ['tent']])
})

it('is asked of several places as one, of those that are parameters', async () => {
  const asked: string[] = []
  const { probe } = fakeProbe(
    (_value, changed) => {
      asked.push(changed?.url ?? '')
      return { text: 'none' }
    },
    { request: { url: 'http://shop.test/?q=tent&p=1' } },
  )
  const members = [
    { ...probe.point, name: 'q', value: 'tent' },
    { ...probe.point, name: 'p', value: '1' },
    { ...probe.point, place: 'header' as const, name: 'X-Lane', value: 'a' },
  ]
  await listWaitWays({ ...probe, point: { ...probe.point, members } })
  expect(asked.at(-1)).toBe('http://shop.test/?q%5B%5D=tent&p%5B%5D=1')
})

it('is not asked of what may write', async () => {
  expect((await asked(cleaned, { bound: 40 })).sent).toEqual([])
})
