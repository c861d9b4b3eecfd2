import { expect, it } from 'vitest'
import type { Screen } from './screen.ts'
import { plannedText, writtenText } from './sending-text.ts'

const screen: Screen = {
  out: () => undefined,
  err: () => undefined,
  isTTY: false,
  colour: false,
  columns: () => 80,
}
const one = { method: 'POST', url: 'https://shop.test/pay', places: 3, most: null } as const

it('lists what would be sent by what would become of it', () => {
  const text = plannedText(screen, [
    { ...one, decision: 'never', reason: 'it buys or pays' },
    { ...one, url: 'https://shop.test/search', decision: 'send', reason: null },
  ])
  expect(text.indexOf('send (1)')).toBeLessThan(text.indexOf('never (1)'))
  expect(text).toMatch(/POST +https:\/\/shop\.test\/pay +3 +it buys or pays/)
})

it('counts what may have been written', () => {
  expect(writtenText({ marker: null, written: [] })).toBe('')
  const written = [{ method: 'POST', url: 'https://shop.test/a', fields: [], times: 7 }]
  expect(writtenText({ marker: 'sonde0a1b', written })).toMatch(/^7 requests to 1 form .*sonde0a1b/)
})
