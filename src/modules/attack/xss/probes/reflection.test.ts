import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { sendCarried, sendUnreadName, sendWord } from './reflection.ts'

const carried = async (value: string, takes: (given: string) => boolean): Promise<string | undefined> => {
  const { probe } = fakeProbe((given) => ({ text: takes(given) ? `<p>Thanks, ${given}` : '<p>No such address' }), {
    value,
  })
  const shown = await sendCarried(probe, await sendWord(probe))
  return shown?.carried('WORD')
}

it('a page that takes one form of values alone is asked in that form', async () => {
  expect(await carried('test@example.org', (given) => given.includes('@'))).toBe('"WORD"@example.org')
  expect(await carried('test@example.org', (given) => /^[\w.]+@[\w.]+$/.test(given))).toBe('WORDtest@example.org')
  expect(await carried('https://example.org/', (given) => given.startsWith('http'))).toBe('https://example.org/WORD')
  expect(await carried('a@example.org', (given) => given === 'a@example.org')).toBeUndefined()
})

it('an error that repeats the value is asked further where it is a page, and not where it is shown as text', async () => {
  const shownIn = async (contentType: string): Promise<boolean> => {
    const { probe } = fakeProbe((given) =>
      given.includes("'") ? { status: 500, text: `syntax error near ${given}`, contentType } : { text: '<p>Thank you' },
    )
    return (await sendCarried(probe, await sendWord(probe))) !== null
  }
  expect([await shownIn('text/html'), await shownIn('text/plain'), await shownIn('application/json')]).toEqual([
    ...[true, false, false],
  ])
})

it.each([
  ['reads none', () => ({ text: '<p>Our tents' }), true],
  ['shows them all', (name: string) => ({ text: `<p>Our tents, ${name}` }), false],
  ['shows them encoded', (name: string) => ({ text: `<p>Our tents, ${name.replaceAll('<', '&lt;')}` }), false],
  [
    'writes them into a header',
    (name: string) => ({ text: '<p>Our tents', headers: [['Vary', name]] as const }),
    false,
  ],
  ['breaks by one', (name: string) => ({ text: name.includes("'") ? '<p>Error' : '<p>Our tents' }), false],
])('a name is known to be unread where the page %s', async (_name, answer, expected) => {
  const { probe, sent } = fakeProbe(answer, { place: 'name', name: '', value: '' })
  expect((await sendUnreadName(probe)) !== null).toBe(expected)
  expect(sent).toHaveLength(1)
})
