import { describe, expect, it } from 'vitest'
import { linksToFollow } from './links.ts'

const follow = (html: string, limit = 20) =>
  linksToFollow(html, 'https://shop.test/', limit).map((url) => url.replace('https://shop.test', ''))

describe('never followed', () => {
  it.each([
    ['logout by address', '<a href=/logout>Bye</a>'],
    ['logout by text', '<a href=/x>Sign out</a>'],
    ['logout in a query', '<a href="/wp-login.php?action=logout">x</a>'],
    ['delete', '<a href=/item/3/delete>x</a>'],
    ['put into the cart', '<a href="/cart/add?id=1">Buy</a>'],
    ['delete, encoded', '<a href=/%64elete/3>x</a>'],
    ['German', '<a href=/konto>Konto löschen</a>'],
    ['another host', '<a href=https://other.test/>x</a>'],
    ['a subdomain', '<a href=https://api.shop.test/>x</a>'],
    ['plain http', '<a href=http://shop.test/>x</a>'],
    ['another port', '<a href=https://shop.test:8443/>x</a>'],
    ['with credentials', '<a href=https://a:b@shop.test/>x</a>'],
    ['a file', '<a href=/catalogue.PDF>x</a>'],
    ['a download', '<a href=/export download>x</a>'],
    ['mail', '<a href=mailto:a@shop.test>x</a>'],
    ['script', '<a href="javascript:void(0)">x</a>'],
    [
      'by a token of its own',
      '<a href="/n/4/open-to?token=46abf01197cbce240c9089002e4978d1553ab20b">x</a><a href="/n?_wpnonce=0a1b">y</a>',
    ],
    ['the page itself', '<a href=/#top>x</a>'],
  ])('%s', (_name, html) => {
    expect(follow(html)).toEqual([])
  })
})

it.each([
  ['/wp/post-new.php', false],
  ['/tickets/new', false],
  ['/tickets', true],
])('signed in, what may begin a record by being opened is not: %s', (path, isFollowed) => {
  const html = `<a href=${path}>x</a>`
  const signedIn = linksToFollow(html, 'https://shop.test/', 20, true)
  expect([follow(html).length, signedIn.length]).toEqual([1, isFollowed ? 1 : 0])
})

describe('followed', () => {
  it.each([
    ['once, whatever the fragment', '<a href=/a#x>1</a><a href=/a#y>2</a>', ['/a']],
    ['telling pages first', '<a href=/about>a</a><a href=/checkout>c</a>', ['/checkout', '/about']],
    [
      'the first of those that look alike',
      '<a href=/p/1>1</a><a href=/p/2>2</a><a href=/about>a</a>',
      ['/p/1', '/about', '/p/2'],
    ],
    [
      'words that only contain a harmful one',
      '<a href=/catalogouts>x</a><a href=/undeleted>y</a>',
      ['/catalogouts', '/undeleted'],
    ],
    ['a stray percent sign', '<a href=/100%>x</a>', ['/100%']],
  ])('%s', (_name, html, expected) => {
    expect(follow(html)).toEqual(expected)
  })

  it('up to the limit', () => {
    expect(follow(Array.from({ length: 50 }, (_, index) => `<a href=/x${index}>x</a>`).join(''), 19)).toHaveLength(19)
  })
})
