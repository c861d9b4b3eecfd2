/** Which places are asked what other pages make of their values, and which questions need not be asked of them. */
import { describe, expect, it } from 'vitest'
import type { CollectContext } from '../../../module.ts'
import { caseCrawl } from '../../crawl/testing/crawl-facts.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { askLater, isKeptWhole, ofEachProgram, storeOther } from './later.ts'

const form = (id: string, name: string, program?: string): ProbePoint => ({
  request: {
    ...{ id, method: 'POST', url: `http://shop.test/goods/${id}/reviews`, headers: [], body: '', seenOn: [] },
    ...{ effect: 'writes', ...(program === undefined ? {} : { program }) },
  },
  ...{ place: 'form', name, value: 'x' },
})

describe('forms of one program', () => {
  const PROGRAM = 'goods/*/reviews'
  const idsOf = (points: readonly ProbePoint[]) =>
    ofEachProgram(points).map(({ request, name }) => `${request.id} ${name}`)

  it('two stand for the others, field by field', () => {
    const all = ['lamp', 'chair', 'vase'].flatMap((id) => [form(id, 'author', PROGRAM), form(id, 'body', PROGRAM)])
    expect(idsOf(all)).toEqual(['lamp author', 'lamp body', 'chair author', 'chair body'])
  })

  it('of what is not known to be one program each is asked', () => {
    expect(idsOf(['lamp', 'chair', 'vase'].map((id) => form(id, 'body')))).toHaveLength(3)
  })

  it('another field is another place', () => {
    const all = [form('lamp', 'body', PROGRAM), form('chair', 'body', PROGRAM), form('vase', 'photo', PROGRAM)]
    expect(idsOf(all)).toContain('vase photo')
  })
})

describe('kept with all of its quotes', () => {
  const VALUE = `fine'"\\)`
  const page = (text: string) => new Map([['http://shop.test/board', { status: 200, text }]])

  it.each([
    ['as it was sent', `<p>fine'"\\)</p>`, true],
    ['in references', '<p>fine&#39;&quot;\\)</p>', true],
    ['without its quotes', '<p>fine\\)</p>', false],
    ['not at all', '<p>Nothing yet.</p>', false],
  ])('%s', (_name, text, kept) => expect(isKeptWhole(page('<p>Nothing yet.</p>'), page(text), VALUE)).toBe(kept))

  it('what stood there before says nothing of the statement', () => {
    const shown = page('<p>fine&#39;&quot;\\)</p>')
    expect(isKeptWhole(shown, shown, VALUE)).toBe(false)
  })
})

it.each([
  ['nobody has left it there', '<p>Call 555</p>', /^-55598765$/],
  ['another module has left it there', '<p>Call -55598765</p>', /^-55598765\d{3}$/],
])('what means nothing is stored anew where %s', async (_name, text, sent) => {
  const fake = fakeProbe(() => ({ text: '<p>Kept.</p>' }), { place: 'form', name: 'phone', value: '555' })
  await storeOther(fake.probe, new Map([['http://shop.test/people/1', { status: 200, text }]]))
  expect(fake.sent.at(-1)).toMatch(sent)
})

it('other questions do not wait for it without end: what is left when its time is over says so', async () => {
  const left: string[] = []
  const fake = fakeProbe(() => ({ text: '<p>Kept.</p>' }), { place: 'form', name: 'body', value: 'x' })
  const at = (point: ProbePoint) => ({
    ...fake.probe,
    point,
    leave: (way: string, why: string) => left.push(`${point.name} ${way}: ${why}`),
  })
  const ctx = {
    scope: { of: ({ make }: { make: () => unknown }) => make() },
    egress: { excludes: () => false },
    signal: new AbortController().signal,
  }
  const telling = { found: () => undefined, until: 0 }
  await askLater(
    ctx as unknown as CollectContext,
    caseCrawl({}),
    [form('lamp', 'author'), form('lamp', 'body')],
    at as never,
    telling,
  )
  expect(fake.sent).toEqual([])
  expect(left).toEqual(
    ['author', 'body'].map(
      (name) => `${name} later: whose values were looked for on other pages until the time for it was over`,
    ),
  )
})
