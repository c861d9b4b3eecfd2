import { expect, it } from 'vitest'
import { pollutingVisits } from './pollution.ts'

const URL_ = 'http://shop.test/a?page=1'
const MERGES = 'for (const key in given) target[key] = given[key]; if (settings.theme) load(settings.theme)'
const words = () => {
  let made = 0
  return () => {
    made += 1
    return `w${made}z`
  }
}

it('sets members that the code reads on the prototype, by each way with a word of its own', () => {
  const [pairs, json] = pollutingVisits(URL_, MERGES, ['page'], words())
  expect(decodeURIComponent(pairs?.url ?? '')).toMatch(
    /\?page=1&__proto__\[theme\]=w1z&constructor\[prototype\]\[theme\]=w2z&__proto__\.theme=w3z#__proto__\[theme\]=w4z&/,
  )
  expect(decodeURIComponent(json?.url ?? '')).toBe(
    'http://shop.test/a?page={"__proto__":{"theme":"w8z"}}#{"__proto__":{"theme":"w7z"}}',
  )
  const [source] = pairs?.sources ?? []
  expect(source?.with('<b>').url).toBe('http://shop.test/a?page=1&__proto__%5Btheme%5D=%3Cb%3E')
})

it('asks nothing of code that sets no members by name', () => {
  expect(pollutingVisits(URL_, 'document.title = settings.theme', ['page'], words())).toEqual([])
})
