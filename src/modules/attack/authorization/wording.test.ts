import { expect, it } from 'vitest'
import { isWording } from './wording.ts'

const LABELS = ['Name', 'Password', 'Sign in', 'Your Name <email@example.com>', 'E-mail', 'Cancel', 'Save', 'Close']
const SENTENCES = [
  'Message sent on connection (birth message)',
  'Use default settings instead',
  'Are you sure you want to delete {{name}}?',
  'The session has ended, sign in again',
]
const members = (texts: readonly string[], prefix: string) =>
  Object.fromEntries(texts.map((text, index) => [`${prefix}${index}`, text]))
const wording = {
  label: { ...members([...LABELS, ...LABELS], 'l'), password: 'Password' },
  tip: members(SENTENCES, 't'),
}
const people = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `p${index}`,
      { name: 'Anna Berg', title: 'Head of the whole house', note: 'Comes late on Monday mornings' },
    ]),
  )

it('the texts of a program are its wording', () => expect(isWording(JSON.stringify(wording))).toBe(true))

it('so they are in a language without capitals and spaces', () =>
  expect(
    isWording(
      JSON.stringify({
        a: members(Array(16).fill('パスワード'), 'a'),
        b: members(Array(8).fill('フローを書き出します'), 'b'),
      }),
    ),
  ).toBe(true))

it.each([
  [
    'settings, with numbers among them',
    { ...wording, smtp: { host: 'mail.shop.test', port: 25, password: 'hunter2' } },
  ],
  ['an environment', Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`KEY_${n}`, `s3cr3t-${n}`]))],
  ['records by their keys', people(12)],
  ['a list of records', { ...wording, users: [{ name: 'Anna Berg', password: 'hunter' }] }],
  ['a few words', { label: members(LABELS, 'l') }],
  ['names alone', { label: members(Array(30).fill('Anna Berg'), 'l') }],
])('%s are not', (_name, document) => expect(isWording(JSON.stringify(document))).toBe(false))
