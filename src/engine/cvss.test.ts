import { expect, it } from 'vitest'
import { RATINGS } from '../knowledge/ratings/ratings.ts'
import { bandOf, cvssOf, cvssOfRating, scoredRatings } from './cvss.ts'

it.each([
  ['injection, 3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['reflected script, 3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['injection, 4.0', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
  ['injection, 3.0', 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['every temporal metric, 3.0', 'CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N/E:F/RL:O/RC:C', 6.4],
  ['partial impact, 2.0', 'AV:N/AC:L/Au:N/C:P/I:P/A:P', 7.5],
  ['with its version, 2.0', 'CVSS:2.0/AV:N/AC:L/Au:S/C:P/I:N/A:N', 4],
  ['in parentheses, 2.0', '(AV:N/AC:M/Au:N/C:N/I:P/A:N)', 4.3],
  ['no impact, 4.0', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
])('%s', (_name, vector, score) => {
  const { v4_0, v3_1, v3_0, v2_0 } = cvssOf(vector)
  expect([v4_0, v3_1, v3_0, v2_0].flatMap((one) => one?.score ?? [])).toEqual([score])
})

it('labels a vector as what it is', () => {
  const old = 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
  expect(cvssOf(old)).toEqual({ v4_0: null, v3_1: null, v3_0: { vector: old, score: 9.8 } })
  expect(cvssOf('(AV:N/AC:L/Au:N/C:P/I:P/A:P)').v2_0?.vector).toBe('AV:N/AC:L/Au:N/C:P/I:P/A:P')
})

it.each([
  ['other version', 'CVSS:1.0/AV:N'],
  ['incomplete, 3.1', 'CVSS:3.1/AV:N/AC:L'],
  ['incomplete, 3.0', 'CVSS:3.0/AV:N/AC:L'],
  ['incomplete, 2.0', 'AV:N/AC:L'],
  ['empty', ''],
  ['incomplete, 4.0', 'CVSS:4.0/AV:N'],
  ['unknown value', 'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
  ['unknown metric', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/ZZ:1'],
])('refuses a vector: %s', (_name, vector) => {
  expect(() => cvssOf(vector)).toThrow(vector)
})

it('bands begin where the specification says', () => {
  expect([10, 9, 8.9, 7, 6.9, 4, 3.9, 0.1, 0].map(bandOf)).toEqual([
    'critical',
    'critical',
    'high',
    'high',
    'medium',
    'medium',
    'low',
    'low',
    null,
  ])
})

it('ratings with their scores, as a build keeps them, say what is worked out without', () => {
  const kept: ReturnType<typeof scoredRatings> = JSON.parse(JSON.stringify(scoredRatings(RATINGS)))
  expect(Object.keys(kept)).toEqual([...RATINGS.keys()])
  for (const [id, rating] of RATINGS) {
    const { scores, ...about } = kept[id] ?? expect.fail(id)
    expect(about).toEqual(rating)
    expect(scores === undefined).toBe(rating.vectors === null)
    expect(cvssOfRating({ ...rating, ...(scores && { scores }) })).toEqual(cvssOfRating(rating))
  }
})
