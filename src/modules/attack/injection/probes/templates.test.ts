import { describe, expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { templateWays } from './templates.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const page = (name: string): { text: string } => ({ text: `<h1>Hello</h1><p>Good day, ${name}.</p><p>Our tents</p>` })
const failed = { status: 500, text: '<h1>Internal error</h1>' }

/** An engine that knows one syntax and fails at others. */
const engine = (own: RegExp, make: (...parts: string[]) => string, stumbles: RegExp) => (value: string) => {
  const rest = value.replace(own, '')
  return stumbles.test(rest) ? failed : page(value.replace(own, (_, ...parts) => make(...parts)))
}
const times = (a = '', b = ''): string => String(Number(a) * Number(b))

describe('what an engine works out is found', () => {
  it.each([
    ['{{…}}', engine(/\{\{(\d+)\*(\d+)\}\}/g, times, /(?!)/)],
    ['dollar and braces', engine(/\$\{(\d+)\*(\d+)\}/g, times, /<%/)],
    ['{{=…}}, which leaves the rest as it is', engine(/\{\{=(\d+)\*(\d+)\}\}/g, times, /(?!)/)],
    ['#set', engine(/#set\(\$q=(\d+)\*(\d+)\)\$\{q\}/g, times, /(?!)/)],
    ['{@math …/}', engine(/\{@math key="(\d+)" method="multiply" operand="(\d+)"\/\}/g, times, /(?!)/)],
    [
      'server-side includes',
      (value: string) => page(value.replace(/<!--#set var="q" value="(\d+)"--><!--#echo var="q"-->/g, '$1')),
    ],
    ['{{…|add}}', engine(/\{\{(\d+)\|add:(\d+)\}\}/g, (a, b) => String(Number(a) + Number(b)), /\{\{/)],
    ['{{printf …}}', engine(/\{\{printf "qv%xvq" (\d+)\}\}/g, (n) => `qv${Number(n).toString(16)}vq`, /\{\{/)],
    [
      '{{#with}}',
      engine(/\{\{#with "(q+)"\}\}qv\{\{length\}\}vq\{\{\/with\}\}/g, (q = '') => `qv${q.length}vq`, /\{\{/),
    ],
    [
      'a number with its thousands apart',
      engine(/\$\{(\d+)\*(\d+)\}/g, (a, b) => Number(times(a, b)).toLocaleString('fr'), /(?!)/),
    ],
  ])('%s', async (flavour, answer) => {
    const { probe } = fakeProbe(answer)
    const hit = await firstOf(templateWays(probe, true))
    expect(hit && isProven(hit), flavour).toBe(true)
    expect(hit?.kind).toBe('template')
  })
})

it('the expression language of Java, which takes one kind of braces in a text, is found by the first of them', async () => {
  const dollar = engine(/\$\{(\d+)\*(\d+)\}/g, times, /(?!)/)
  // What it cannot read it shows nothing of.
  const { probe, sent } = fakeProbe((value) => (/\$\{.*#\{|#\{.*\$\{/.test(value) ? page('') : dollar(value)))
  const hit = await firstOf(templateWays(probe, true).slice(0, 1))
  expect([hit?.kind, hit && isProven(hit)]).toEqual(['template', true])
  expect(sent.length).toBeLessThan(7)
})

it('engines whose part of the text is cut off are asked by a text of their own, before each is asked alone', async () => {
  const hash = engine(/#\{(\d+)\*(\d+)\}/g, times, /(?!)/)
  const { probe, sent } = fakeProbe((value) => hash(value.slice(0, 40)))
  const hit = await firstOf(templateWays(probe, true))
  expect([hit?.kind, hit && isProven(hit)]).toEqual(['template', true])
  expect(sent.filter((value) => /^(?:\{\{|[$@<{])[^ ]*$/.test(value))).toEqual([])
  expect(sent.length).toBeLessThan(8)
})

/** Texts with fields as Python's str.format reads them (PEP 3101), for one argument that is known by name. */
const formatted = (text: string): string =>
  text
    .split(/(\{\{|\}\}|\{[^{}]*\}|[{}])/)
    .map((part) => {
      if (part === '{{' || part === '}}') return part.slice(1)
      if (/^[{}]$/.test(part)) throw new Error('single brace')
      const field = /^\{(\w+)((?:\.\w+)*)(?:!s)?(?::(.)([<>^])(\d+))?\}$/.exec(part)
      if (!field) {
        if (part.startsWith('{')) throw new Error('no such field')
        return part
      }
      const [, name, way = '', fill = ' ', align = '<', width = '0'] = field
      if (name !== 'tenant') throw new Error(`there is no ${name}`)
      return aligned(attributeOf(way), fill, align, Number(width))
    })
    .join('')
/** As PEP 3101 has it. */
const aligned = (text: string, fill: string, align: string, width: number): string => {
  const more = Math.max(0, width - text.length)
  const left = align === '>' ? more : align === '^' ? Math.floor(more / 2) : 0
  return text.padStart(text.length + left, fill).padEnd(width, fill)
}
const attributeOf = (way: string): string => {
  if (way === '.name') return 'Robin'
  if (way === '.__class__.__mro__.__class__.__name__') return 'tuple'
  throw new Error(`there is no ${way}`)
}
const letter =
  (made: (text: string) => string) =>
  (value: string): { text: string } => {
    try {
      return page(escaped(made(value)))
    } catch {
      return page('nobody, as the wording has a mistake in it')
    }
  }

it.each([
  ['as the format of Python does, are reached', letter(formatted), true],
  ['as a list of known names does, are not', letter((text) => text.replaceAll('{tenant.name}', 'Robin')), false],
] as const)('objects behind a field of a text that is filled, %s', async (_name, answer, isFlawed) => {
  const { probe } = fakeProbe(answer, { value: 'Dear {tenant.name}' })
  const hit = await firstOf(templateWays(probe, true))
  expect(hit !== null && isProven(hit)).toBe(isFlawed)
})

it('an engine behind a number is found, though it stumbles over the others', async () => {
  const answer = engine(/\{\{(\d+)\|times:(\d+)\}\}/g, times, /\{\{/)
  const { probe } = fakeProbe(answer, { value: '2' })
  expect((await firstOf(templateWays(probe, true)))?.kind).toBe('template')
})

describe('pages without an engine', () => {
  it.each([
    ['that show the value as it is', page],
    ['that show it escaped', (value: string) => page(escaped(value))],
  ])('%s cost two texts', async (_name, answer) => {
    const { probe, sent } = fakeProbe(answer)
    await probe.control()
    expect(await firstOf(templateWays(probe, true))).toBeNull()
    expect(sent).toHaveLength(3)
  })

  it('that show nothing of it cost one', async () => {
    const { probe, sent } = fakeProbe(() => page('you'))
    await probe.control()
    expect(await firstOf(templateWays(probe, false))).toBeNull()
    expect(sent).toHaveLength(2)
  })

  it.each([
    [
      'a list, to which what is no number is nothing',
      (value: string) => page(/^-?\d+$/.test(value) ? `list ${value}` : 'no list'),
    ],
    ['a list that reads the beginning', (value: string) => page(`list ${Number.parseInt(value, 10)}`)],
  ])('behind a number cost a few: %s', async (_name, answer) => {
    const { probe, sent } = fakeProbe(answer, { value: '2' })
    await probe.control()
    expect(await firstOf(templateWays(probe, true))).toBeNull()
    expect(sent.length).toBeLessThanOrEqual(5)
  })

  it('that take comments out are not accused', async () => {
    const { probe } = fakeProbe((value) => page(value.replace(/<!--.*?-->/g, '')))
    expect(await firstOf(templateWays(probe, true))).toBeNull()
  })

  it('that refuse signs are asked by each engine alone, and nothing is found', async () => {
    const { probe } = fakeProbe((value) => (/[{<(]/.test(value) ? { text: 'Letters only, please' } : page(value)))
    expect(await firstOf(templateWays(probe, true))).toBeNull()
  })
})
