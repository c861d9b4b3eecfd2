import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { lookTwice } from './without-form.ts'

const URL = 'https://shop.test/login'
const WHO = 'sonde-0123456789ab'

/** A sign-in with a token of its own in each answer. */
const page = (row = '<p class=row>', field = '', below = '') =>
  `${row}<form method=post><input type=hidden name=csrf value=${randomUUID()}><input name=user${field}>
  <input type=password name=pass></form>${below}`

const isSame = async (answer: string): Promise<boolean | undefined> => {
  const look = await lookTwice(async () => caseAnswer({ path: '/login', body: page() }), URL)
  return look?.isSame(caseAnswer({ path: '/login', method: 'POST', sent: `user=${WHO}&pass=x`, body: answer }))
}

it.each([
  ['a word', page('<p class=row>', '', 'Unknown user')],
  ['a class', page('<p class="row has-error">')],
  ['an attribute', page('<p class=row aria-invalid=true>')],
  ['the name that was typed', page('<p class=row>', ` value="${WHO}"`)],
])('a wrong password is told by %s', async (_name, answer) => expect(await isSame(answer)).toBe(false))

it('an address that reads no form answers the same to it', async () => expect(await isSame(page())).toBe(true))
