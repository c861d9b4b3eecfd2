/** A form that may be sent a few times is asked in all of its fields. */
import { expect, it } from 'vitest'
import { known, scanned } from '../testing/scanned.ts'

const encoded = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const FIELDS = ['title', 'tags', 'summary', 'body']

/** A page of entries, of which three parts are encoded, and the last is as `shows` has it. */
const found = async (shows: (text: string) => string) => {
  const entries: (readonly string[])[] = []
  const sent: string[][] = []
  const crawl = known(FIELDS.map((name) => ({ name, value: 'ok', type: 'text' })))
  const [form] = crawl.requests
  if (form === undefined) throw new Error('no form')
  const scan = await scanned(
    (values, { method }) => {
      if (method === 'POST') {
        entries.unshift(FIELDS.map((name) => values.get(name) ?? ''))
        sent.push(FIELDS.filter((name) => values.get(name) !== 'ok'))
      }
      const rows = entries.slice(0, 30).map((entry) => {
        const [title = '', tags = '', summary = '', body = ''] = entry
        return `<h2>${encoded(title)}</h2><i>${encoded(tags)}</i><p>${encoded(summary)}</p><div>${shows(body)}</div>`
      })
      return `<form method="post"></form>${rows.join('')}`
    },
    {
      ...crawl,
      requests: [{ ...form, effect: 'writes', bound: 16, shownOn: [form.url] }],
      points: FIELDS.map((name) => ({ id: `a:form:${name}`, request: 'a', place: 'form', name, example: 'ok' })),
    },
    null,
    'test',
  )
  return { ...scan, sent }
}

it('finds the last of them, though the first are encoded', { timeout: 90_000 }, async () => {
  const { at, sent } = await found((text) => text.replace(/<\/?(?!img\b)[a-z][^>]*>/gi, ''))
  // Its answer runs it, and so does the page for whoever asks for it.
  expect(at).toEqual(['xss/reflected http://shop.test/notes body', 'xss/stored http://shop.test/notes undefined'])
  expect(sent.find((names) => names.length > 0)).toEqual(FIELDS)
  expect(sent.length).toBeLessThanOrEqual(20)
})

it('and none where all are', { timeout: 90_000 }, async () => {
  const { at } = await found(encoded)
  expect(at).toEqual([])
})
