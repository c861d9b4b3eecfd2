import { describe, expect, it } from 'vitest'
import { identical, noiseOf, steadied } from './likeness.ts'
import type { Reply } from './prober.ts'
import { slotsOf, withoutVarying } from './varying.ts'

const reply = (text: string, varying?: Reply['varying']): Reply => ({
  ...{ value: '', status: 200, contentType: 'text/html', location: '', headers: [], ms: 1, replay: '', text },
  ...(varying ? { varying } : {}),
})
const page = (tip: string, visitors: number, found: string): string =>
  `<title>Desk</title><p>Tip of the moment: ${tip}.</p><p>${visitors} people are here.</p><ul><li>${found}</li></ul><p>End of the page.</p>`

describe('what a page changes by itself', () => {
  const usual = [
    reply(page('drink water', 12, 'Plot 12')),
    reply(page('back up all of your work', 97, 'Plot 12')),
    reply(page('mind the gap', 12, 'Plot 12')),
  ] as const
  const steady = steadied([usual[0], usual[1]], usual[2])
  const { varying } = steady[0]
  const now = (found: string) => reply(page('close every window today', 41, found), varying)

  it('is no noise any more, and one row less is told', () => {
    expect(noiseOf(steady)).toBe(0)
    expect(identical(now('Plot 12'), steady[0], 0)).toBe(true)
    expect(identical(now('Nobody'), steady[0], 0)).toBe(false)
  })

  it('has nothing around it that stands once: nothing is left out', () =>
    expect(slotsOf(['a', 'b', 'x', 'a', 'b', 'c', 'd', 'e'], ['a', 'b', 'y', 'a', 'b', 'c', 'd', 'e'])).toEqual([]))

  it('a page that is another has none', () =>
    expect(slotsOf(['one', 'two', 'three', 'four'], ['five', 'six', 'seven'])).toEqual([]))

  it('leaves alone what has lost the words around it', () =>
    expect(withoutVarying(['x', 'y'], [{ before: ['a'], behind: ['b'] }])).toEqual(['x', 'y']))
})
