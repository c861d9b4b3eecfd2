/** Values that are stored, against pages that read the last of them, and lists that show them all. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { askLaterAnswers } from './later-answers.ts'

const PAGE = 'http://shop.test/near'

const asked = async (page: (stored: readonly string[]) => string, still = new Set<string>()) => {
  const stored: string[] = []
  let reads = 0
  const { probe } = fakeProbe((value) => ({ text: `<p>Kept.</p>${value.length > 0 ? '' : ' '}` }), {
    ...{ place: 'form', name: 'city', value: 'Bergen', request: { method: 'POST', effect: 'writes' } },
  })
  const store = async (value: string) => {
    stored.push(value)
    return probe.send(value)
  }
  const read = async () => {
    reads += 1
    return { status: 200, text: page(stored) }
  }
  const broken = await probe.broken()
  stored.push(broken.value)
  const said = new Map([[PAGE, await read()]])
  const hit = await askLaterAnswers(probe, said, broken, { store, read, still })
  return { hit: hit && [hit.technique, hit.page], stored: stored.length, reads }
}

const people = new DatabaseSync(':memory:')
people.exec("create table people (name, city); insert into people values ('Ada', 'Bergen'), ('Ole', 'Bergen')")
const near = (city: string): string => {
  try {
    return people
      .prepare(`select name from people where city = '${city}'`)
      .all()
      .map(({ name }) => `<li>${name}`)
      .join('')
  } catch {
    return '' // As pages do that hide errors.
  }
}

it('a page that puts the last one into its statement is proven', async () => {
  const { hit } = await asked((stored) => `<h1>Near you</h1><ul>${near(stored.at(-1) ?? '')}</ul>`)
  expect(hit).toEqual(['later-answers', PAGE])
})

it('a list with one entry more for each costs one value more, and no questions', async () => {
  const { hit, stored } = await asked(
    (all) =>
      `<h1>Board</h1>${all.map((text) => `<article><h2>Note</h2><p>${text.replaceAll('<', '&lt;')}</p></article>`).join('')}`,
  )
  expect(hit).toBeNull()
  expect(stored).toBeLessThanOrEqual(3)
})

it('what said the same before is read once more, for the condition that holds', async () => {
  const { hit, reads } = await asked(() => '<h1>Opening hours</h1>', new Set([PAGE]))
  expect(hit).toBeNull()
  expect(reads).toBe(2)
})

it('what said the same before is proven all the same where a condition shows', async () => {
  const page = (stored: readonly string[]) => `<h1>Near you</h1><ul>${near(stored.at(-1) ?? '')}</ul>`
  expect((await asked(page, new Set([PAGE]))).hit).toEqual(['later-answers', PAGE])
})
