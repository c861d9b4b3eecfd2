/** A number that a page gives stands beside a secret: of a locker, a table, a customer. It is taken for a text, the secret as it is. */
import { expect, it } from 'vitest'
import { groupOf } from '../../insertion-points/groups.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { questionWays } from './answers.ts'

const asked = async (secret: string, isGroup: boolean, isSafe = false) => {
  const body = `number=1&${secret}=Test-1960`
  const page = (sent: string): { text: string } => {
    const all = [...new URLSearchParams(sent)]
    const isThere = all.some(([name, value]) => name === 'number' && value === '1')
    const isAny = !isSafe && all.some(([name]) => name === `${secret}[$ne]` || name === `${secret}[$nin][]`)
    return { text: isThere && isAny ? '<p>Inside: a red umbrella and two keys</p>' : '<p>Wrong code.</p>' }
  }
  const request = { method: 'POST', signsIn: true, body, effect: 'reads' as const }
  const members = ['number', secret].map(
    (name) => ({ place: 'form', name, value: name === 'number' ? '1' : 'Test-1960', request }) as unknown as ProbePoint,
  )
  const [, own] = members
  const point = isGroup ? groupOf(members) : own
  const { probe } = fakeProbe((_value, changed) => page(changed ? String(changed.body) : body), { ...point, request })
  return firstOf(await questionWays(probe))
}

it.each([
  ['code', 'of both fields as a group', true],
  ['password', 'of the secret alone', false],
])('operators in place of a %s are answered, asked %s', async (secret, _how, isGroup) => {
  expect(await asked(secret, isGroup)).toMatchObject({ kind: 'nosql' })
})

it('what takes texts alone is not accused', async () => {
  expect(await asked('password', false, true)).toBeNull()
  expect(await asked('code', true, true)).toBeNull()
})
