import { expect, it } from 'vitest'
import { TESTED } from './ends.ts'
import { EVERY_WAY, FILTERED, FIRST_ONLY } from './facts.ts'
import { inventoryOf } from './inventory.ts'
import { createRecords } from './records.ts'
import { crawlOf, pointOf } from './testing/probing.ts'

it('what kept a way from being gone is said still, once what waited was asked', () => {
  const [point] = inventoryOf(crawlOf([pointOf('home', 'query', 'q', 'lamp')]))
  if (!point) throw new Error('a place')
  const records = createRecords<string>({ progress: () => undefined }, 'Injection', [point])
  const leftWays = () => records.facts().points[0]?.leftWays ?? []
  records.settle({ point, ended: TESTED, requests: 3, epoch: 0 })
  records.leave(point, EVERY_WAY, FILTERED)
  records.leave(point, EVERY_WAY, FIRST_ONLY)
  expect(leftWays().map(({ reason }) => reason)).toEqual([FILTERED, FIRST_ONLY])
  records.ask(point, FIRST_ONLY)
  expect(leftWays()).toEqual([{ way: EVERY_WAY, reason: FILTERED }])
})
