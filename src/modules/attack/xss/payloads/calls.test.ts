import { describe, expect, it } from 'vitest'
import { encodeValue } from '../../insertion-points/body.ts'
import { CALL, callIn, callsOf, withAlert } from './calls.ts'

describe('withAlert', () => {
  const written = (['markup', 'value', 'script', 'address'] as const).flatMap((reading) =>
    callsOf(1234, reading).map((call) => call.written),
  )
  const sent = { 'in clear': String, 'in an address': encodeValue, 'in JSON': (text: string) => JSON.stringify(text) }

  it.each(Object.entries(sent))('another browser has what is called, %s', (_name, send) => {
    for (const text of written) {
      const shown = withAlert(send(text))
      expect(shown, text).not.toBe(send(text))
      expect(shown, text).not.toContain(CALL)
    }
  })

  it('and nothing else of it is another', () => {
    expect(withAlert(`<svg onload=${CALL}(7)>`)).toBe('<svg onload=alert(7)>')
    expect(withAlert(encodeValue(`<svg onload=${CALL}&#40;7&#41;>`))).toBe(encodeValue('<svg onload=alert&#40;7&#41;>'))
    expect(withAlert('<svg onload=print()>')).toBe('<svg onload=print()>')
  })
})

describe('a call in what a page shows', () => {
  it.each(callsOf(1234, 'address').map(({ written }) => written))('is found as the page has it: %s', (written) => {
    const page = `<a href="javascript:${written}">q</a>`
    expect(page).toContain(callIn(page, 1234))
    expect(callIn(page, 1234)).toContain('1234')
  })

  it.each([
    ['of another number', `<a href="javascript:${CALL}%2812345%29">q</a>`],
    ['nowhere', '<p>q</p>'],
  ])('%s is none', (_what, page) => expect(callIn(page, 1234)).toBe(`${CALL}(1234)`))
})
