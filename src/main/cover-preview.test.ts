import { expect, test } from 'vitest'
import { createCoverMaker } from './cover-preview.ts'

const of = (organisation: string) => ({ organisation, logo: null, watermark: false })

test('the same cover is drawn once, another logo or name anew', async () => {
  const drawn: string[] = []
  const make = createCoverMaker(async ({ organisation, logo }) => {
    drawn.push(`${organisation} ${logo}`)
    return Buffer.from(organisation)
  })
  await Promise.all([make(of('a')), make(of('a'))])
  await make(of('a'))
  await make({ ...of('a'), logo: Buffer.from('x') })
  await make(of('b'))
  expect(drawn).toEqual(['a null', 'a x', 'b null'])
})

test('what failed is tried again', async () => {
  let turn = 0
  const make = createCoverMaker(async () => {
    turn += 1
    if (turn === 1) throw new Error('no TeX')
    return Buffer.from('ok')
  })
  await expect(make(of('a'))).rejects.toThrow('no TeX')
  expect(String(await make(of('a')))).toBe('ok')
})

test('one is drawn at a time, few wait, and the rest is told to come back', async () => {
  let [under, most] = [0, 0]
  const gate = Promise.withResolvers<void>()
  const make = createCoverMaker(async ({ organisation }) => {
    under += 1
    most = Math.max(most, under)
    await gate.promise
    under -= 1
    return Buffer.from(organisation)
  })
  const asked = Array.from({ length: 7 }, (_, index) => make(of(String(index))))
  const settled = Promise.allSettled(asked)
  gate.resolve()
  const states = (await settled).map(({ status }) => status)
  expect([states.filter((state) => state === 'rejected').length, most]).toEqual([2, 1])
  await expect(asked[6]).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '10' } })
  expect(String(await make(of('6')))).toBe('6')
})
