/** A whole scan of an application of pages and forms whose one program answers for all, of which every flaw of authorization is known. */
import { expect, test } from 'vitest'
import { clubSite, MEMBERS } from '../testbed/club/server.ts'
import { FLAWS, LOOKALIKES } from '../testbed/club/truth.ts'
import { scanAs } from './support/scan-as.ts'

const KINDS: Readonly<Record<string, string>> = { object: 'object-level', function: 'function-level' }

/** `POST page=posts&action=edit`, of a row or a flaw. */
const placeOf = ({ method, url }: { readonly method: string; readonly url: string }): string => {
  const { searchParams } = new URL(url)
  return `${method} page=${searchParams.get('page')}&action=${searchParams.get('action')}`
}

test('every flaw that is planted is confirmed, and nothing that only looks like one is said', {
  timeout: 300_000,
}, async () => {
  const people = MEMBERS.map(({ name, role, cookie }) => ({ name, role, credentials: { cookie, header: null } }))
  const { facts } = await scanAs({ answer: clubSite(), people, environment: 'test' })
  const found = facts.flaws.map((flaw) => `${KINDS[flaw.kind]} ${placeOf(flaw)}`)
  expect([...new Set(found)].toSorted()).toEqual(FLAWS.toSorted())
  expect(new Set(facts.flaws.map(({ confidence }) => confidence))).toEqual(new Set(['confirmed']))
  expect(facts.shownToOthers?.map((one) => [placeOf(one), one.to])).toContainEqual([
    'GET page=desk&action=warn',
    'mara',
  ])
  expect(facts.shownToOthers?.map(placeOf)).toContain('POST page=desk&action=praise')
  const rows = new Map(facts.rows.map((row) => [placeOf(row), row.verdict]))
  expect(LOOKALIKES.map((place) => [place, rows.get(place)])).toEqual(LOOKALIKES.map((place) => [place, 'restricted']))
})
