import { expect, test } from 'vitest'
import { readHtml } from '../../../page/html.ts'
import { draftsOfForm } from './forms.ts'
import { createRequests } from './requests.ts'

const ORIGIN = 'https://shop.test'
const form = (to: string, text = ''): string =>
  `<form method="post" action="/messages/send"><input name="to" value="${to}"><textarea name="text">${text}</textarea><input type="submit" value="Send"></form>`

const listed = (marker: string | null, ...pages: readonly (readonly [path: string, html: string])[]) => {
  const requests = createRequests(undefined, undefined, undefined, marker)
  for (const [path, html] of pages)
    for (const one of readHtml(html, ORIGIN + path).forms)
      for (const draft of draftsOfForm(one, ORIGIN + path)) requests.add(draft)
  return requests.all().map(({ fields }) => Object.fromEntries(fields.map(({ name, value }) => [name, value])))
}

const EMPTY = ['/messages', form('')] as const
const FILLED = ['/people/3', form('mara')] as const

test.each([
  ['first', [FILLED, EMPTY]],
  ['last', [EMPTY, FILLED]],
])('what one page fills in a form stands for what another leaves empty, seen %s', (_when, pages) => {
  const [marked] = listed('sondemark', ...pages)
  expect(marked?.to).toBe('mara')
  expect(marked?.text).toMatch(/^sondemark/)
})

test('what is filled twice stays as it was seen first', () => {
  const others = ['/people/4', form('otto', 'Dear Otto')] as const
  expect(listed('sondemark', FILLED, others)).toEqual([{ to: 'mara', text: 'Dear Otto' }])
})

test('where nothing may be stored nobody gets it', () => {
  expect(listed(null, EMPTY, FILLED)).toEqual([{ to: 'test', text: 'test' }])
})

test.each([
  ['a script was read to send', { text: 'mill', max: 5 }, { text: 'mill', max: 5 }],
  ['nothing is known of', { text: 'test', max: 5 }, { text: 'test', max: 5 }],
  ['has other members', { name: 'mill' }, { text: 'test', max: 5 }],
])('what the browser has filled in stands in a body of JSON for nothing that %s', (_what, read, expected) => {
  const requests = createRequests(undefined, undefined, undefined, 'sondemark')
  const one = {
    method: 'POST',
    url: `${ORIGIN}/api/stops/search`,
    encoding: 'json',
    seenOn: `${ORIGIN}/`,
    sent: true,
  } as const
  requests.add({ ...one, source: 'script', body: JSON.stringify(read) })
  requests.add({ ...one, source: 'browser', body: JSON.stringify({ text: 'test', max: 5 }) })
  const found = requests.all().find(({ body }) => body?.includes('max'))
  expect(JSON.parse(found?.body ?? '')).toEqual(expected)
})

test('a link with values of the site stands for a form whose page shows them again', () => {
  const search = (rent: string) =>
    `<form action="/cost"><input name="rent" value="${rent}"><input name="months" value="12"></form>`
  const requests = createRequests(undefined, undefined, undefined, 'sondemark')
  /** As a page is read: its forms, then itself. */
  const read = (url: string, rent: string, source: 'link' | 'form') => {
    for (const one of readHtml(search(rent), url).forms) for (const draft of draftsOfForm(one, url)) requests.add(draft)
    requests.add({ method: 'GET', url, source, seenOn: `${ORIGIN}/homes/1`, sent: true })
  }
  read(`${ORIGIN}/cost`, '', 'link')
  read(`${ORIGIN}/cost?rent=test&months=12`, 'test', 'form')
  read(`${ORIGIN}/cost?rent=900&months=12`, '900', 'link')
  expect(requests.all().map(({ url }) => url)).toEqual([`${ORIGIN}/cost?rent=900&months=12`, `${ORIGIN}/cost`])
})

test('a number stands in fields that are called by what is counted, and not in whose names such a word is hidden', () => {
  const names = ['age', 'userAge', 'count', 'item_count', 'message', 'language', 'account', 'country', 'discount']
  const inputs = names.map((name) => `<input name="${name}">`).join('')
  const [own] = listed(null, ['/', `<form method="post" action="/send">${inputs}</form>`])
  expect(names.filter((name) => own?.[name] === '1')).toEqual(['age', 'userAge', 'count', 'item_count'])
})
