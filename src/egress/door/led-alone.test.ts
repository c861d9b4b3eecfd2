import { expect, test } from 'vitest'
import { createLedAlone } from './led-alone.ts'

const at = 'https://shop.test'

test('what one alone is led to is asked as that one, by the same method, with what chooses it', () => {
  const { leads, joined } = createLedAlone(({ host }) => host === 'shop.test')
  leads('anna', 'GET', `${at}/staff/orders`)
  leads('anna', 'POST', `${at}/desk?do=close`)
  leads('anna', 'GET', 'https://other.test/')
  const as = (method: string, url: string): unknown => joined({ method, url }).as
  expect(as('GET', `${at}/staff/orders?q=1`)).toBe('anna')
  expect(as('HEAD', `${at}/staff/orders`)).toBe('anna')
  expect(as('POST', `${at}/desk?id=4&do=close`)).toBe('anna')
  expect(as('POST', `${at}/staff/orders`)).toBeUndefined()
  expect(as('POST', `${at}/desk?do=open`)).toBeUndefined()
  expect(as('GET', `${at}/staff`)).toBeUndefined()
  expect(as('GET', 'https://other.test/')).toBeUndefined()
})

test('who says as whom it asks, or asks as nobody, does so', () => {
  const { leads, joined } = createLedAlone(() => true)
  leads('anna', 'GET', `${at}/staff`)
  expect(joined({ url: `${at}/staff`, as: null }).as).toBeNull()
  expect(joined({ url: `${at}/staff`, as: 'ben' }).as).toBe('ben')
  expect(joined({ url: `${at}/staff`, authenticated: false }).as).toBeUndefined()
})
