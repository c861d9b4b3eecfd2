import { expect, it } from 'vitest'
import { readPage } from '../modules/attack/crawl/pages.ts'
import { asksWhetherMeant } from './asking-first.ts'
import { ASKS_FIRST } from './form-effect.ts'
import { harmOfLink } from './safety.ts'

const PAGE = 'https://shop.test/hosts/cmd?id=3'
const harms = (html: string) => readPage(html, PAGE).forms.map(({ harm }) => harm ?? null)
const POSTED =
  '<form method=post action=/cmd><input type=hidden name=id value=3><input name=host value=db><button>OK</button></form>'

it.each([
  'You are requesting to switch off the alarm of a host',
  'Are you sure?',
  'This can’t be undone.',
  'Do you really want to go on?',
  'Möchten Sie den Rechner wirklich anhalten?',
  'Voulez-vous vraiment continuer ?',
  '¿Está seguro?',
])('what is posted from a page that asks whether it is meant is left alone: %s', (question) =>
  expect(harms(`<p>${question}</p>${POSTED}`)).toEqual([ASKS_FIRST]),
)

it('what only reads there is not, and no page without such a question', () => {
  expect(harms(`<p>Are you sure?</p><form action=/find><input name=q></form>${POSTED}`)).toEqual([null, ASKS_FIRST])
  expect(harms(`<p>Make sure you are here.</p><script>let a = 'Are you sure?'</script>${POSTED}`)).toEqual([null])
  expect(asksWhetherMeant('How sure are you that you are going out?')).toBe(false)
})

it('a label that points at something on its page is no title, however long it is', () => {
  expect(harmOfLink('Disable notifications for all services on this host')).not.toBeNull()
  expect(harmOfLink('Delete the selected messages of every person in here')).not.toBeNull()
  expect(harmOfLink('Delete what you no longer need and why it helps')).toBeNull()
})
