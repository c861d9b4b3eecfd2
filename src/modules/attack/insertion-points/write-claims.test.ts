/** What a place that has shown something is left of the few writes of its form. */
import { expect, it } from 'vitest'
import { page } from './testing/page.ts'
import { endPursuit, type Pursuit, pursue } from './write-claims.ts'
import { type Asker, createWrites } from './writes.ts'

const PAGE = 'https://shop.test/things'
const FORM = '<form method=post><input name=word></form>'
const UNKNOWN = { effect: 'unknown', bound: 40 } as const

it('a proof keeps what it needs of its form, and others have what it leaves', async () => {
  const writes = createWrites()
  const askerOf = (): Asker => ({
    ...{ kept: () => 0, late: () => null, used: new Map(), careful: false, get: async () => page(FORM) },
  })
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], ...UNKNOWN }
  const bounded = { ...request, bound: 20 }
  const proof: Pursuit = { count: 0, pursues: false }
  pursue(proof, bounded)
  const sendBy = (asker: Asker, by: Pick<Pursuit, 'pursues' | 'claim'>) =>
    writes.send(asker, {
      ...{ request: bounded, changes: true, work: async () => ({ status: 200 }), another: async () => undefined },
      ...{ pursues: by.pursues, claim: by.claim },
    })
  const [own, other] = [askerOf(), askerOf()]
  await sendBy(own, proof)
  for (let time = 0; time < 8; time += 1) expect(await sendBy(other, { pursues: false })).not.toBeNull()
  let isAnswered = false
  const waiting = sendBy(other, { pursues: false }).then((answer) => {
    isAnswered = true
    return answer
  })
  for (let time = 0; time < 3; time += 1) expect(await sendBy(own, proof)).not.toBeNull()
  expect(isAnswered).toBe(false)
  endPursuit(proof)
  expect(await waiting).not.toBeNull()
  expect(writes.counts()).toEqual({ form: 13 })
})

it('of two proofs the one that has begun first is not held up by the other', async () => {
  const writes = createWrites()
  const asker: Asker = {
    ...{ kept: () => 0, late: () => null, used: new Map(), careful: false, get: async () => page(FORM) },
  }
  const request = {
    id: 'form',
    method: 'POST',
    url: PAGE,
    headers: [],
    body: '',
    seenOn: [PAGE],
    ...UNKNOWN,
    bound: 14,
  }
  const proofs = [0, 1].map((): Pursuit => ({ count: 0, pursues: false }))
  for (const proof of proofs) pursue(proof, request)
  const [first, second] = proofs
  const sendBy = (proof: Pursuit | undefined) =>
    writes.send(asker, {
      ...{ request, changes: true, work: async () => ({ status: 200 }), another: async () => undefined },
      ...{ pursues: true, claim: proof?.claim },
    })
  expect([await sendBy(first), await sendBy(second)]).not.toContain(null)
  for (let time = 0; time < 11; time += 1) expect(await sendBy(first)).not.toBeNull()
  expect(writes.counts()).toEqual({ form: 13 })
})

it('who asks no places waits for no proof', async () => {
  const writes = createWrites()
  const asker: Asker = { kept: () => 0, used: new Map(), careful: false, get: async () => page(FORM) }
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], ...UNKNOWN, bound: 4 }
  const proof: Pursuit = { count: 0, pursues: false }
  pursue(proof, request)
  const sending = { request, changes: true, work: async () => ({ status: 200 }), another: async () => undefined }
  expect(await writes.send(asker, { ...sending, pursues: true, claim: proof.claim })).not.toBeNull()
  expect(await writes.send(asker, { ...sending, pursues: true })).not.toBeNull()
})

it.each([
  ['words', 'name=Ida&words=Hello', 37],
  ['an amount', 'name=Ida&people=2', 36],
  ['a price', 'article=tent&qty=1&price=49.90', 32],
])('of a form with %s others are left what they ask of it at the end', async (_name, body, most) => {
  const writes = createWrites()
  const late = new Map<string, number>()
  const asker: Asker = {
    ...{ kept: () => 0, late: () => late, used: new Map(), careful: false, get: async () => page(FORM) },
  }
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body, seenOn: [PAGE], ...UNKNOWN }
  const sending = { request, changes: true, work: async () => ({ status: 200 }), another: async () => undefined }
  // What follows the places is sent a few times by each that asks.
  for (let time = 0; time < 40; time += 1) {
    await writes.send(asker, { ...sending, pursues: false })
    late.clear()
  }
  expect(writes.counts()).toEqual({ form: most })
})
