import { expect, it } from 'vitest'
import { askedIn } from './polluting.ts'

const MEMBERS = Array.from({ length: 500 }, (_, index) => `m${index}`)

/** A page that asks for some members, and says nothing where one of others is watched. */
const page = (reads: readonly string[], breaking: readonly string[]) => {
  const visits: number[] = []
  return {
    visits,
    watch: async (members: readonly string[]): Promise<unknown> => {
      visits.push(members.length)
      if (breaking.some((one) => members.includes(one))) return { reads: [], says: 3 }
      return { reads: reads.filter((one) => members.includes(one)), says: 120 }
    },
  }
}

it('asks once where nothing breaks', async () => {
  const { visits, watch } = page(['m7', 'm400'], [])
  expect(await askedIn(MEMBERS, 120, watch)).toEqual({ asked: ['m7', 'm400'], left: false })
  expect(visits).toEqual([500])
})

it('finds what is asked for beside a member whose watching breaks the page', async () => {
  const { visits, watch } = page(['m7', 'm400'], ['m12'])
  const { asked, left } = await askedIn(MEMBERS, 120, watch)
  expect([asked.toSorted(), left]).toEqual([['m400', 'm7'], false])
  expect(visits.length).toBeLessThan(25)
})

it('watches what broke one page on no other', async () => {
  const breaking = new Set<string>()
  await askedIn(MEMBERS, 120, page(['m7'], ['m12']).watch, breaking)
  expect([...breaking]).toEqual(['m12'])
  const { visits, watch } = page(['m7', 'm400'], ['m12'])
  expect(await askedIn(MEMBERS, 120, watch, breaking)).toEqual({ asked: ['m7', 'm400'], left: false })
  expect(visits).toEqual([499])
})

it('ends where every one does, and where nothing is told, and says that members were left', async () => {
  expect(await askedIn(MEMBERS, 120, page([], MEMBERS).watch)).toEqual({ asked: [], left: true })
  expect(await askedIn(MEMBERS, 120, async () => null)).toEqual({ asked: [], left: true })
})
