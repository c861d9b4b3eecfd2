/** Attributes that a library takes for code as it draws the page: brackets and quotes are encoded well, and the library decodes them. */
import { expect, it } from 'vitest'
import { FORM, known, scanned } from './testing/scanned.ts'

const encoded = (value: string): string => value.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
/** Each takes the value for one expression, as Alpine does, and with the names of its own data alone, as Vue does. */
const alpine = `<script>for (const one of document.querySelectorAll('[x-data]')) new Function('return ' + one.getAttribute('x-data'))()</script>`
const vue = `<script>const own = new Proxy({}, { has: (_, name) => typeof name === 'string', get: (data, name) => data[name] })
for (const one of document.querySelectorAll('[v-bind\\\\:title]')) new Function('own', 'with (own) { return ' + one.getAttribute('v-bind:title') + ' }')(own)</script>`

const asked = (page: (value: string) => string, environment: 'production' | 'test' = 'test') => {
  const crawl = known([FORM])
  const reads = { ...crawl, requests: crawl.requests.map((one) => ({ ...one, effect: 'reads' as const })) }
  return scanned((sent) => page(encoded(sent.get('q') ?? 'tent')), reads, null, environment)
}

it.each([
  ['data of a component', (value: string) => `<div x-data="{ tab: '${value}' }"></div>${alpine}`],
  ['a bound attribute', (value: string) => `<p v-bind:title="'${value}'">Card</p>${vue}`],
])('finds what stands in %s', async (_name, page) => {
  expect((await asked(page)).found).toEqual(['xss/reflected confirmed'])
})

it.each([
  ['the library is not there', (value: string) => `<div x-data="{ tab: '${value}' }"></div>`],
  [
    'the value is written as the text of a script is',
    (value: string) =>
      `<div x-data="{ tab: '${value.replace(/&#(\d+);|\\/g, (_whole, code) => `\\u00${Number(code ?? 92).toString(16)}`)}' }"></div>${alpine}`,
  ],
])('finds nothing where %s', async (_name, page) => {
  expect((await asked(page)).found).toEqual([])
})
