import { describe, expect, it } from 'vitest'
import { readPage } from '../modules/attack/crawl/pages.ts'
import { answersByName, asksWhetherMeant, deedsAsked } from './asking-first.ts'
import { DELETES, DELETES_ACCOUNTS, ENDS_SESSION } from './deeds.ts'
import { ASKS_FIRST } from './form-effect.ts'
import { harmOf, harmOfLink } from './safety.ts'

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

it.each([
  ['Do you really want to delete your account?', DELETES_ACCOUNTS],
  ['Are you sure you want to remove user Robin?', DELETES_ACCOUNTS],
  ['You are about to close your account. Go on?', DELETES_ACCOUNTS],
  ['Deactivate your account?', DELETES_ACCOUNTS],
  ['Your account will be permanently deleted.', DELETES_ACCOUNTS],
  ['This action will delete all users', DELETES_ACCOUNTS],
  ['Would you like to sign out?', ENDS_SESSION],
  ['Are you sure you want to remove this item?', DELETES],
  ['Are you sure you want to leave this page?', null],
  ['Do you want to see the prices with taxes?', null],
])('a question names the deed that it asks for: %s', (question, harm) =>
  expect(harmOf(...deedsAsked(question))).toBe(harm),
)

it.each([
  ['onsubmit="return confirm(\'Do you really want to close your account?\')"', DELETES_ACCOUNTS],
  ['data-confirm="Are you sure you want to remove this item?"', DELETES],
  ['hx-confirm="Are you sure?"', ASKS_FIRST],
  ['onsubmit="return confirm(texts.sure)"', ASKS_FIRST],
])('so does that of a form: %s', (attribute, harm) =>
  expect(harms(`<form method=post action=/do ${attribute}><button>OK</button></form>`)).toEqual([harm]),
)

describe('a parameter that answers such a question', () => {
  it.each(['confirm', 'confirmed', 'really_sure', 'forceDelete', 'yes'])('%s', (name) => {
    expect(answersByName(name)).toBe(true)
  })
  it.each(['detail', 'enforced', 'pressure', 'eyes'])('is not %s', (name) => {
    expect(answersByName(name)).toBe(false)
  })
})

it('reads what is asked in little time, however long it is', () => {
  const long = `${'/..'.repeat(60_000)}?`
  expect(deedsAsked(long).join('').length).toBeLessThan(5_000)
  expect(harmOf(long)).toBeNull()
})
