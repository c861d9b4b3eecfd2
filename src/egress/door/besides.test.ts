import { expect, it } from 'vitest'
import { createBesides } from './besides.ts'

const besides = () => {
  const made = createBesides(({ hostname }) => hostname === 'shop.test')
  made.carry('https://shop.test/pay?step=2', 'basket=4; theme=dark')
  return made
}
const cookieOf = (request: Parameters<ReturnType<typeof besides>['joined']>[0]) =>
  besides()
    .joined(request)
    .headers?.find(([name]) => name === 'Cookie')?.[1]

it.each([
  ['its own address, whatever the query', { url: 'https://shop.test/pay?x=1' }, 'basket=4; theme=dark'],
  ['another address', { url: 'https://shop.test/pay/now' }, undefined],
  ['another origin', { url: 'http://shop.test/pay' }, undefined],
  ['who asks as nobody', { url: 'https://shop.test/pay', authenticated: false }, undefined],
  ['who asks as somebody else', { url: 'https://shop.test/pay', as: 'ben' }, undefined],
  [
    'what has one of the name itself',
    { url: 'https://shop.test/pay', headers: [['Cookie', 'basket=5']] },
    'theme=dark; basket=5',
  ],
] as const)('%s', (_name, request, expected) => {
  expect(cookieOf(request)).toBe(expected)
})

it('no other host brings cookies of the site', () => {
  const made = createBesides(({ hostname }) => hostname === 'shop.test')
  made.carry('https://other.test/', 'basket=4')
  expect(made.joined({ url: 'https://other.test/' })).toEqual({ url: 'https://other.test/' })
})
