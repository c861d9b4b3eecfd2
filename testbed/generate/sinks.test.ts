/** The truth of the generator: what it plants gives way to its witness, and its twin does not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILTERS, filtered } from './filters.ts'
import { planApplication, SINKS } from './plan.ts'
import { openAround } from './serve.ts'
import type { Around, Said, Sink } from './sink.ts'

let around: Awaited<ReturnType<typeof openAround>>
beforeAll(async () => {
  around = await openAround()
})
afterAll(() => around.close())

const saidBy = async (work: Sink['careless'], value: string, with_: Around): Promise<string> => {
  try {
    const { html, location = '', line = '' }: Said = await work(value, with_)
    return `${html}\n${location}\n${line}`
  } catch (error) {
    return `error: ${error}`
  }
}

describe.each(SINKS)('$name', (sink) => {
  const attacks = FILTERS.flatMap((filter) => {
    const witness = sink.witness(filter)
    return witness === null ? [] : [{ filter, ...witness }]
  })

  it.each(attacks)('gives way behind filter $filter, its twin does not', async ({ filter, send, seen }) => {
    const value = filtered[filter](send)
    expect(await saidBy(sink.careless, value, around)).toContain(seen)
    expect(await saidBy(sink.careful, value, around)).not.toContain(seen)
  })

  it.each([sink.value, ...sink.others])('answers "%s" alike, careless or careful', async (value) => {
    const said = await saidBy(sink.careless, value, around)
    expect(said).not.toMatch(/^error/)
    expect(await saidBy(sink.careful, value, around)).toBe(said)
    for (const { seen } of attacks) expect(said).not.toContain(seen)
  })
})

describe('planApplication', () => {
  it('makes the same application of the same seed, and another of another', () => {
    const [first, again, other] = [7, 7, 8].map((seed) => planApplication(seed, { places: 10 }))
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  it('plants only what can be shown, each with its twin', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { places } = planApplication(seed, { places: 10 })
      for (const { sink, filter } of places) expect(sink.witness(filter)).not.toBeNull()
      expect(places.filter(({ vulnerable }) => vulnerable)).toHaveLength(5)
      expect(new Set(places.map(({ entry }) => entry)).size).toBe(10)
    }
  })
  it('splits the classes of an application where that is wanted: careless everywhere or nowhere', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const { places } = planApplication(seed, { places: 12, truth: 'split' })
      const byClass = Map.groupBy(places, ({ sink }) => sink.class)
      for (const of of byClass.values()) expect(new Set(of.map(({ vulnerable }) => vulnerable)).size).toBe(1)
    }
  })
})
