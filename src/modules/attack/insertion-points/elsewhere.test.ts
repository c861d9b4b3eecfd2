/** Which places are taken to store. */
import { expect, it } from 'vitest'
import { storingOf } from './elsewhere.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'

const point = (name: string, method: string, effect: ProbeRequest['effect']): ProbePoint => ({
  request: { id: name, method, url: 'https://shop.test/', headers: [], body: null, effect, seenOn: [] },
  ...{ place: 'form', name, value: 'x' },
})

it('one form that may write is not lost behind many that were seen to read', () => {
  const searches = Array.from({ length: 40 }, (_, index) => point(`search ${index}`, 'POST', 'reads'))
  const points = [point('list', 'GET', 'reads'), ...searches, point('keep', 'POST', 'unknown')]
  const names = storingOf(points).asked.map(({ name }) => name)
  expect(names.slice(0, 2)).toEqual(['keep', 'search 0'])
  expect(names).not.toContain('list')
})

it('tells what is too many to be asked, where it may write', () => {
  const forms = Array.from({ length: 45 }, (_, index) => point(`form ${index}`, 'POST', 'unknown'))
  const { asked, beyond } = storingOf([...forms, point('find', 'POST', 'reads')])
  expect(asked).toHaveLength(40)
  expect(beyond.map(({ name }) => name)).toEqual(['form 40', 'form 41', 'form 42', 'form 43', 'form 44'])
})
