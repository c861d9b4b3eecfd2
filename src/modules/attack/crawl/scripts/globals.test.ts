import { afterEach, expect, it } from 'vitest'
import { createScripts } from '../scripts.ts'
import { closeCrawled, crawl } from '../testing/crawling.ts'

afterEach(closeCrawled)

const CALLS = `(function(e){e(".search").on("keyup",function(){e.ajax({type:"GET",url:ajaxurl,data:{s:e(this).val(),action:"find"}})});
e.post(settings.root+"v1/things",{name:n});e.post(window.api.endpoints[0],{q:n})}).call(this,n(1))`

const called = (...inline: readonly string[]): readonly string[] => {
  const scripts = createScripts()
  scripts.learn(inline)
  return scripts
    .add(CALLS, 'app.js')
    .filter((one) => one.called)
    .map(({ method, address }) => `${method} ${address}`)
}

it.each([
  ['a text', ["var ajaxurl = '/ajax.php', now = 'start';"], ['GET /ajax.php?s=1&action=find']],
  ['a text of the window', ['window.ajaxurl="\\/ajax.php"'], ['GET /ajax.php?s=1&action=find']],
  [
    'JSON',
    ['/* <![CDATA[ */\nvar settings = {"root":"https:\\/\\/shop.test\\/api\\/","nonce":"a}b"};\n/* ]]> */'],
    ['POST https://shop.test/api/v1/things'],
  ],
  ['of several the first', ["var ajaxurl='/one'", "var ajaxurl='/two'"], ['GET /one?s=1&action=find']],
  ['an object of the language', ['var settings={root:"/api/",go(){return 1}}'], []],
  ['a comparison', ["if(ajaxurl=='/no')run()"], []],
  ['a property of something else', ["page.ajaxurl='/no'"], []],
  ['no page', [], []],
])('names that a page gives to its files: %s', (_name, inline, expected) => {
  expect(called(...inline)).toEqual(expect.arrayContaining(expected))
  expect(called(...inline).length).toBe(expected.length)
})

it('a crawl reads them before the files', async () => {
  const { facts } = await crawl({
    '/': `<script>var ajaxurl = '/ajax.php'</script><script src=/app.js></script>`,
    '/app.js': { type: 'text/javascript', body: CALLS },
    '/ajax.php': 'found',
  })
  expect(facts.points.filter(({ place }) => place === 'query').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['s', 'action']),
  )
})
