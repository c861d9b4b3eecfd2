import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { pointsOf } from './points.ts'
import { isSealed } from './sealed.ts'

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64')
const inJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
const LARAVEL = inJson({ iv: base64(16), value: base64(96), mac: randomBytes(32).toString('hex'), tag: '' })

it.each([
  ['what Laravel encrypts', LARAVEL, true],
  ['what Rails encrypts', `${base64(90)}--${base64(12)}--${base64(16)}`, true],
  ['what ASP.NET Core protects', `CfDJ8${randomBytes(90).toString('base64url')}`, true],
  ['what Rails signs alone, which is read', `${base64(90)}--${randomBytes(20).toString('hex')}`, false],
  ['an object that anybody may write', inJson({ value: 'tent', theme: 'dark' }), false],
  ['a JSON Web Token', `${inJson({ alg: 'HS256' })}.${inJson({ sub: 1 })}.${base64(32)}`, false],
  ['a word', 'dark', false],
])('%s', (_name, value, is) => {
  expect(isSealed(value)).toBe(is)
})

it('a cookie of it is no place, and another beside it is', () => {
  const request = caseRequest({ url: 'https://shop.test/', sent: true, effect: 'reads' })
  const cookies = new Map([
    ['XSRF-TOKEN', encodeURIComponent(LARAVEL)],
    ['theme', 'dark'],
  ])
  const names = pointsOf([request], cookies).flatMap(({ place, name }) => (place === 'cookie' ? [name] : []))
  expect(names).toContain('theme')
  expect(names).not.toContain('XSRF-TOKEN')
})

it('what stands in its wrapping is no value', () => {
  const request = caseRequest({ url: `https://shop.test/?state=${encodeURIComponent(LARAVEL)}`, sent: true })
  const states = pointsOf([request], new Map()).filter(({ place, name }) => place === 'query' && name === 'state')
  expect(states).toHaveLength(1)
})
