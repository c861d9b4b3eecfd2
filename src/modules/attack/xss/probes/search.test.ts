/** Places whose filters look at a part of what they get: what `search` sends until a payload stands in the page. */
import { expect, it } from 'vitest'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Part } from '../../insertion-points/plan.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { reflectionsOf } from '../contexts.ts'
import type { ReflectedHit } from '../facts.ts'
import { runsIn } from './running.ts'
import { search } from './search.ts'

const coded = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const percent = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

const searched = async (
  site: (value: string) => string,
  effect: 'reads' | 'writes' = 'reads',
  part: Part = 'whole',
  place: ProbePoint['place'] = 'query',
) => {
  const word = 'qx0123456789'
  const fake = fakeProbe((value) => ({ text: site(value) }), { place, request: { effect } })
  const { sent } = fake
  const pursued = new Set<string>()
  const probe = { ...fake.probe, pursue: (by?: string) => void pursued.add(by ?? 'a proof') }
  const first = await probe.send(word)
  const { hit, more } = await search({
    ...{ probe, word, first, carried: (value) => value, reflections: reflectionsOf(first.text, word), part },
    judge: async ({ code, sent: payload }, context, _nonce, { text, replay }) => {
      const hit: ReflectedHit = {
        ...{ kind: 'reflected', context, payload, parsed: true, ran: 'load', refused: false, screenshot: null },
        ...{ unproven: null, excerpt: '', mark: '', replay, address: null },
      }
      return runsIn(text, code) ? hit : null
    },
  })
  return { found: hit !== null, more, requests: sent.length, pursued: [...pursued] }
}

it.each<[string, (value: string) => string, number]>([
  ['nothing', (value) => `<p>${value}</p>`, 4],
  ['the beginning of a value', (value) => `<p>${coded(value.slice(0, 20))}${value.slice(20)}</p>`, 60],
  ['long values', (value) => `<p>${value.length > 90 ? coded(value) : value}</p>`, 30],
  [
    'brackets, before it decodes three times',
    (value) => (/[<>]/.test(percent(percent(value))) ? '<p>No</p>' : `<p>${percent(percent(percent(value)))}</p>`),
    30,
  ],
  [
    'payloads, which shows what it refuses',
    (value) => (/<svg/.test(value) ? `<p>Refused: ${value}</p>` : `<p>${coded(value)}</p>`),
    30,
  ],
  // As a reader of markup does: a bracket in front of no name is text, and text is not looked at again.
  ['elements, each taken out once', (value) => `<p>${value.replace(/<\/?[a-z][^>]*(?:>|$)/gi, '')}</p>`, 60],
  [
    'schemes of links, which reads their references by itself',
    (value) => {
      const read = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      const kept = (text: string): string =>
        text
          .replace(/&(?!#?\w+;)/g, '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('"', '&quot;')
      const link = /^\[(\w+)\]\((\S+?)\)$/.exec(value)
      if (!link || /^javascript:/i.test(read(link[2] ?? ''))) return `<p>${kept(value)}</p>`
      return `<p><a href="${kept(link[2] ?? '')}">${link[1]}</a></p>`
    },
    60,
  ],
  ['the end of an element', (value) => `<textarea>${value.replaceAll('</textarea>', '')}</textarea>`, 30],
])('a filter of %s is passed', async (_name, site, most) => {
  const { found, requests } = await searched(site)
  expect(found).toBe(true)
  expect(requests).toBeLessThanOrEqual(most)
})

it.each<[string, (value: string) => string, number]>([
  ['all values encoded', (value) => `<p>${coded(value)}</p>`, 20],
  ['all with a bracket refused', (value) => (/[<>]/.test(value) ? '<p>No</p>' : `<p>${value}</p>`), 24],
])('%s are soon given up', async (_name, site, most) => {
  const { found, requests } = await searched(site)
  expect(found).toBe(false)
  expect(requests).toBeLessThanOrEqual(most)
})

it.each<[string, (value: string) => string, readonly string[]]>([
  ['was seen to come back is a proof', (value) => `<p>${value}</p>`, ['a proof']],
  // Its few questions end before it is known which of them the page fails by.
  [
    'nobody has seen come back is a sign',
    (value) => (/[-\\]/.test(value) ? '<p>Error</p>' : `<p>${value}</p>`),
    ['sign'],
  ],
])('of a form that may write, what needs signs that %s', async (_name, site, expected) => {
  expect((await searched(site, 'writes')).pursued).toEqual(expected)
})

it.each<[string, (value: string) => string, { readonly found: boolean; readonly more?: true }, number]>([
  ['nothing filters', (value) => `<p>${value}</p>`, { found: true }, 4],
  ['all is written as HTML does', (value) => `<p>${coded(value)}</p>`, { found: false, more: true }, 5],
  [
    'a sign is refused',
    (value) => (value.includes('<') ? '<p>No</p>' : `<p>${value}</p>`),
    { found: false, more: true },
    4,
  ],
])('of many places each is asked a little first: where %s', async (_name, site, expected, most) => {
  const { found, more, requests } = await searched(site, 'reads', 'first')
  expect({ found, ...(more ? { more } : {}) }).toEqual(expected)
  expect(requests).toBeLessThanOrEqual(most)
})

it.each<Part>(['first', 'whole'])(
  'a name of a file, of which what stands before a slash is cut off, is asked without one: %s part',
  async (part) => {
    const site = (value: string): string => {
      const name = value.replace(/^.*[/\\]/s, '')
      return name === '' ? '<p>No file</p>' : `<ul><li>${name}</li></ul>`
    }
    const { found, requests } = await searched(site, 'writes', part, 'file-name')
    expect(found).toBe(true)
    expect(requests).toBeLessThanOrEqual(4)
  },
)
