import { expect, test } from 'vitest'
import type { HttpExchange } from '../egress/door/egress.ts'
import { createStanding } from './standing.ts'

const answer = (status: number, text: string): HttpExchange =>
  ({ status, headers: [['content-type', 'text/html']], body: Buffer.from(text) }) as unknown as HttpExchange
const account = (name: string): HttpExchange => answer(200, `<p>Portal of ${name}</p><a>My orders</a><a>Sign out</a>`)
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
  ['its name was changed, and nobody is shown a form', [account('Ann Berg'), account('qx1')], form, 1],
] as const)('is proven still where %s', async (_name, answers, nobody, told) => {
  expect(await proving(answers, nobody)).toEqual({ seen: answers.map(() => true), told })
})

test.each([
  ['shows the form', [account('Ann Berg'), form], form],
  ['leads elsewhere', [account('Ann Berg'), led], led],
  ['shows what it shows to nobody', [account('Ann Berg'), account('you')], account('you')],
  ['shows another page', [account('Ann Berg'), answer(200, '<p>Nothing is here any more</p>')], led],
  ['is proven for the first time', [account('Bob')], led],
  ['is broken for nobody', [account('Ann Berg'), account('qx1')], answer(503, '')],
] as const)('is not where the page %s', async (_name, answers, nobody) => {
  const { seen, told } = await proving(answers, nobody)
  expect([seen.at(-1), told]).toEqual([false, 0])
})
