import { expect, it } from 'vitest'
import { keysInLinks } from './keys-in-links.ts'

const KEY = '4f1c9e0b77a2d3586e1f40bb'
const PAGE = 'https://shop.test/account'

it.each([
  ['a link', `<a href="/feed.atom?key=${KEY}">Feed</a>`],
  ['behind another parameter, as HTML writes it', `<a href="/feed?lang=en&amp;access_token=${KEY}">`],
  ['an address of its own page', `<a href="?feedKey=${KEY}">`],
  ['the whole address', `<link rel=alternate href=https://shop.test/a.rss?auth=${KEY}>`],
  ['a script', `<script>var feed = {"url":"\\/news.json?rss_key=${KEY}"}</script>`],
  ['JSON', `{"calendar":"https://shop.test/c?sig=${KEY}"}`],
  ['a calendar by its path', `<a href="webcal://shop.test/calendars/${KEY}/all">`],
  ['a calendar by its folder', `<a href="/export/iCal/ada/${KEY}/id%20%3E%200">`],
  ['a feed by its folder, with a query', `<a href="/export/rss/ada/${KEY}/?Order=ASC&amp;Query=id">`],
  ['an escaped address', `{"feed":"\\/atom\\/${KEY}\\/all"}`],
  ['a calendar by its name', `<a href="/calendars/${KEY}.ics">`],
])('a key stands in %s', (_name, text) => {
  expect(keysInLinks(text, PAGE)).toEqual([KEY])
})

it.each([
  ['of another site', `<script src="https://maps.test/api/js?key=${KEY}"></script>`],
  ['a version of a file', `<script src="/app.js?sig=${KEY}"></script>`],
  ['a token against forged requests', `<a href="/close?csrf_token=${KEY}&amp;authenticity_token=${KEY}">`],
  ['a word', '<a href="/list?key=name-of-the-list&amp;token=basket">'],
  ['a number', '<a href="/list?key=20261127">'],
  ['another name', `<a href="/list?page=${KEY}">`],
  ['a record that is called a calendar', `<a href="/calendars/${KEY}">`],
  ['what stands before the folder', `<a href="/${KEY}/rss/all">`],
  ['a path that nobody subscribes to', `<a href="/orders/${KEY}">`],
])('no key is %s', (_name, text) => {
  expect(keysInLinks(text, PAGE)).toEqual([])
})

it('is linear in hostile texts', () => {
  const before = process.cpuUsage()
  for (const unit of ['/', '/a', '?', '/?', 'http://', '\\/', '"?a=b&'])
    keysInLinks(unit.repeat(260_000 / unit.length), PAGE)
  // Of the processor: a machine that does much else takes longer.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})
