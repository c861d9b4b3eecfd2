import { expect, test } from 'vitest'
import { farMerged } from './far-fields.ts'
import type { ProbePoint } from './inventory.ts'

const at = (id: string, name: string, far: boolean, url = 'http://shop.test/list'): ProbePoint =>
  ({
    ...{ request: { id, method: 'POST', url }, place: 'form', name, value: 'x' },
    ...(far ? { far: true } : {}),
  }) as unknown as ProbePoint

test('a field that stands with another button is asked with that, where it can be', () => {
  const points = [
    at('find', 'quick', false),
    at('find', 'note', true),
    at('save', 'note', false),
    at('save', 'quick', true),
    at('save', 'alone', true),
    at('other', 'note', true, 'http://shop.test/other'),
  ]
  const merged = [...farMerged(points)].map(([point, others]) =>
    [point, others].flat().map(({ request, name }) => `${request.id} ${name}`),
  )
  expect(merged).toEqual([
    ['find note', 'save note'],
    ['save quick', 'find quick'],
  ])
})
