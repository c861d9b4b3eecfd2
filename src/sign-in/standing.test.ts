import { expect, test } from 'vitest'
import type { HttpExchange } from '../egress/door/egress.ts'
import { createStanding } from './standing.ts'

const answer = (status: number, text: string): HttpExchange =>
  ({ status, headers: [['content-type', 'text/html']], body: Buffer.from(text) }) as unknown as HttpExchange
const account = (name: string): HttpExchange => answer(200, `<p>Portal of ${name}</p><a>My orders</a><a>Sign out</a>`)
/** A page in the words of a language, with a form of settings. */
const settings = (words: readonly [string, string, string, string]): HttpExchange =>
  answer(
    200,
    `<h1>${words[0]}</h1><a href=/orders>${words[1]}</a><form action="/settings" id=own><label for=lang>${words[2]}</label><select name=lang id=lang></select><a href="/sign-out">${words[3]}</a></form>`,
  )
const english = settings(['Account of Ann Berg', 'My orders', 'Language of all pages', 'Sign out of here'])
const albanian = settings(['Llogaria ime', 'Porosite', 'Gjuha e faqeve', 'Dil'])
const form = answer(200, '<p>Portal</p><form><input name=user><button>Sign in please</button></form>')
const led = answer(302, '')

/** Proofs in this order, as nobody the last one. */
const proving = async (answers: readonly HttpExchange[], nobody: HttpExchange) => {
  const told: string[] = []
  let at = 0
  const prove = createStanding(
    { text: 'Ann Berg', path: '/home' },
    {
      prove: async () => {
        const one = answers[at] ?? form
        at += 1
        return { isSignedIn: one.body.toString().includes('Ann Berg'), why: 'without it', answer: one }
      },
      asNobody: async () => ({ isSignedIn: false, why: '', answer: nobody }),
      told: (detail) => void told.push(detail),
    },
  )
  const seen: (boolean | null)[] = []
  for (const _ of answers) seen.push((await prove()).isSignedIn)
  return { seen, told: told.length }
}

test.each([
  [
    'its name was changed, and nobody is led to the sign-in',
    [account('Ann Berg'), account('qx1'), account('qx2')],
    led,
    1,
  ],
  ['its language was changed, and nobody is led to the sign-in', [english, albanian], led, 1],
  ['its language was changed, and nobody is shown a form', [english, albanian], form, 1],
  ['its name was changed, and nobody is shown a form', [account('Ann Berg'), account('qx1')], form, 1],
] as const)('is proven still where %s', async (_name, answers, nobody, told) => {
  expect(await proving(answers, nobody)).toEqual({ seen: answers.map(() => true), told })
})

test.each([
  ['shows the form', [account('Ann Berg'), form], form],
  ['leads elsewhere', [account('Ann Berg'), led], led],
  ['shows what it shows to nobody', [account('Ann Berg'), account('you')], account('you')],
  ['shows another page', [account('Ann Berg'), answer(200, '<p>Nothing is here any more</p>')], led],
  ['shows the same in another language to nobody', [english, albanian], albanian],
  ['is proven for the first time', [account('Bob')], led],
  ['is broken for nobody', [account('Ann Berg'), account('qx1')], answer(503, '')],
] as const)('is not where the page %s', async (_name, answers, nobody) => {
  const { seen, told } = await proving(answers, nobody)
  expect([seen.at(-1), told]).toEqual([false, 0])
})
