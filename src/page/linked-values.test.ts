import { describe, expect, it } from 'vitest'
import { createLinkedValues } from './linked-values.ts'

const seen = (answers: Readonly<Record<string, unknown>>) => {
  const values = createLinkedValues()
  for (const [path, value] of Object.entries(answers)) values.saw(`https://shop.test${path}`, JSON.stringify(value))
  return values
}

describe('a value that an answer has shown', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string, string | null, string | undefined]>([
    ['of a list', { '/api/v1/orders': [{ id: 71 }, { id: 72 }] }, 'id', 'orders', '71'],
    ['of a list within', { '/orders?page=2': { data: { items: [{ uuid: 'a-1' }] } } }, 'orderUuid', 'orders', 'a-1'],
    ['by another name of the same', { '/orders': [{ id: 'x7' }] }, 'order_id', 'orders', 'x7'],
    ['of what is asked of a list', { '/orders/list': [{ id: 73 }] }, 'id', 'orders', '73'],
    ['of all of them', { '/v1/people/_all': [{ id: 4 }] }, 'id', 'people', '4'],
    ['under another folder', { '/orders': [{ customer: { id: 9 } }] }, 'customerId', 'invoices', '9'],
    ['by its whole name', { '/invoices': [{ customerId: 9 }] }, 'customer_id', 'customers', '9'],
    ['named by the thing itself', { '/categories': [{ slug: 'tents' }] }, 'category', 'categories', 'tents'],
    ['of a list of plain values', { '/regions': ['north', 'south'] }, 'region', 'regions', 'north'],
    ['of one that was made', { '/users': { user: { username: 'mia' } } }, 'username', 'users', 'mia'],
    ['of what lies in a folder', { '/orders': [{ id: 71 }], '/stats': { orders: 5 } }, 'orders', 'orders', '71'],
    ['no count of what lies there', { '/account/summary': { orders: 2 } }, 'orders', 'orders', undefined],
    ['where a list goes on', { '/orders': { items: [], next: 'eyJpZCI6N30' } }, 'cursor', 'orders', 'eyJpZCI6N30'],
    ['none of another thing', { '/orders': [{ id: 71 }] }, 'id', 'users', undefined],
    ['none where the text is no JSON', { '/orders': 'id 71' }, 'id', 'orders', undefined],
  ])('%s', (_name, answers, name, of, value) => expect(seen(answers).find(name, of)).toBe(value))

  it('is short', () => expect(seen({ '/orders': [{ id: 'x'.repeat(300) }] }).find('id', 'orders')).toBeUndefined())
})

it.each<[string, string, string, string | undefined]>([
  ['a title', 'diary', 'records', 'title'],
  ['an id, whatever else is called so', 'o-7', 'records', 'id'],
  ['a number, which may be anything', '12', 'records', undefined],
  ['what was never seen', 'atlas', 'records', undefined],
  ['of something else', 'diary', 'books', undefined],
])('by which property a thing is named: %s', (_name, value, of, property) => {
  const values = createLinkedValues()
  values.saw('https://shop.test/v1/records', '[{"title":"diary","pages":12},{"ref":"o-7","title":"o-7","id":"o-7"}]')
  expect(values.propertyOf(value, of)).toBe(property)
})
