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
