import { describe, expect, it } from 'vitest'
import { answer } from './answer.ts'
import { memoryCarts } from './carts.ts'
import type { Ask, Shop } from './route.ts'

/** A visitor who keeps cookies. */
const visitor = (fixed: boolean) => {
  const host = fixed ? 'shop-fixed.test' : 'shop.test'
  const shop: Shop = { host, fixed, httpOrigin: `http://${host}`, httpsOrigin: `https://${host}`, carts: memoryCarts() }
  const cookies = new Map<string, string>()
  const visit = (method: string, path: string, form: Record<string, string> = {}) => {
    const ask: Ask = {
      method,
      url: new URL(path, shop.httpsOrigin),
      header: () => null,
      cookie: (name) => cookies.get(name) ?? null,
      form: new URLSearchParams(form),
      secure: true,
      nonce: 'n',
      shop,
    }
    const reply = answer(ask)
    for (const [name, value] of reply.headers) {
      const [, key, content] = /^([^=]+)=([^;]*)/.exec(name === 'Set-Cookie' ? value : '') ?? []
      if (key !== undefined && content !== undefined) cookies.set(key, content)
    }
    return reply
  }
  const tokenOn = (path: string): string => /name="token" value="([^"]+)"/.exec(visit('GET', path).body)?.[1] ?? ''
  return { visit, tokenOn }
}

describe.each([
  ['flawed', false],
  ['fixed', true],
])('the %s shop', (_name, fixed) => {
  it('sells', () => {
    const { visit, tokenOn } = visitor(fixed)
    const token = tokenOn('/product/haul-45')
    expect(visit('POST', '/cart/add', { slug: 'haul-45', token }).status).toBe(303)
    expect(visit('GET', '/cart').body).toContain('Haul 45')
    expect(visit('POST', '/checkout', { name: 'R', token }).body).toContain('Thank you')
    expect(visit('GET', '/cart').body).toContain('The cart is empty')
  })

  it('signs in and out', () => {
    const { visit, tokenOn } = visitor(fixed)
    const token = tokenOn('/login')
    const email = 'robin@northfold.test'
    expect(visit('POST', '/login', { email, password: 'wrong', token }).status).toBe(401)
    expect(visit('GET', '/account').status).toBe(303)
    expect(visit('POST', '/login', { email, password: 'correct horse battery staple', token }).status).toBe(303)
    expect(visit('GET', '/account').body).toContain('Hello Robin')
    expect(visit('POST', '/logout', { token }).status).toBe(303)
    expect(visit('GET', '/account').status).toBe(303)
  })

  it('searches, and shows what was searched for as text', () => {
    const { visit } = visitor(fixed)
    expect(visit('GET', '/search?q=tent').body).toContain('Ridgeline Two')
    expect(visit('GET', '/search?q=%3Cb%3E').body).toContain('0 for “&lt;b&gt;”')
  })

  it('knows what it has not', () => {
    const { visit } = visitor(fixed)
    expect(visit('GET', '/product/none').status).toBe(404)
    expect(visit('GET', '/range/toString').status).toBe(404)
  })
})

it('the twin refuses a form without its token, the flawed shop does not', () => {
  expect(visitor(true).visit('POST', '/cart/add', { slug: 'haul-45' }).status).toBe(403)
  expect(visitor(false).visit('POST', '/cart/add', { slug: 'haul-45' }).status).toBe(303)
})
