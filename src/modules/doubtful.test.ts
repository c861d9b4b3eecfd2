import { expect, test } from 'vitest'
import { createDoubtful, doneSurely } from './doubtful.ts'
import type { RunSession } from './module.ts'

const sessionOf = () => {
  const state = { session: 0, proofs: 0, lost: null as string | null, alive: true, can: true }
  const watched: RunSession = {
    proofAt: 'https://shop.test/account',
    session: () => state.session,
    proofs: () => state.proofs,
    lost: () => state.lost,
    prove: async () => {
      if (state.alive) state.proofs += 1
      else if (state.can) {
        state.session += 1
        state.proofs += 1
        state.alive = true
      } else state.lost = 'it could not be begun anew'
      return state.lost === null
    },
    unproven: () => ({ answered: 0, refused: 0 }),
    doubtful: () => [],
  }
  return { state, watched }
}

test('what a proof has followed is not done again', async () => {
  const { watched } = sessionOf()
  const doubt = createDoubtful<string>([watched])
  doubt.begin('a')()
  await watched.prove()
  doubt.begin('b')()
  expect(await doubt.settle()).toEqual([])
})

test('what was done since the last proof is done again, once another session was begun', async () => {
  const { state, watched } = sessionOf()
  const doubt = createDoubtful<string>([watched])
  doubt.begin('a')()
  await watched.prove()
  doubt.begin('b')()
  state.alive = false
  doubt.begin('c')()
  expect(await doubt.settle()).toEqual(['b', 'c'])
  expect(await doubt.settle()).toEqual([])
})

test('so is what was begun under the one before and ended under the next', async () => {
  const { state, watched } = sessionOf()
  const doubt = createDoubtful<string>([watched])
  const done = doubt.begin('a')
  state.alive = false
  await watched.prove()
  await watched.prove()
  done()
  expect(await doubt.settle()).toEqual(['a'])
})

test('of several sessions a proof of one alone does not speak for what all were asked', async () => {
  const [ada, ben] = [sessionOf(), sessionOf()]
  const doubt = createDoubtful<string>([ada.watched, null, ben.watched])
  doubt.begin('a')()
  await ada.watched.prove()
  ben.state.alive = false
  expect(await doubt.settle()).toEqual(['a'])
})

test('with nobody to prove nothing is in doubt', async () => {
  const doubt = createDoubtful<string>([undefined])
  doubt.begin('a')()
  expect(await doubt.settle()).toEqual([])
})

test('all is done, again what was in doubt, and what stays so is told', async () => {
  const { state, watched } = sessionOf()
  const rounds: string[][] = []
  const left = await doneSurely([watched], ['a', 'b', 'c'], async (items, begin) => {
    rounds.push([...items])
    for (const item of items) {
      const done = begin(item)
      if (item === 'b') state.alive = false
      done()
      if (item === 'a') await watched.prove()
    }
  })
  expect(rounds).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
    ['b', 'c'],
    ['b', 'c'],
  ])
  expect(left).toEqual(['b', 'c'])
})
