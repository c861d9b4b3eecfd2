/** What one listener of jQuery does for many elements, and what programs draw, in a real browser. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterEach, expect, it } from 'vitest'
import { sharedBrowser } from '../../../../engine/testing/shared-browser.ts'
import { closeCrawled, crawl } from '../testing/crawling.ts'

afterEach(closeCrawled)

const JQUERY = readFileSync(createRequire(import.meta.url).resolve('jquery'), 'utf8')

it('presses what is listened to by a selector, and reads pictures that scripts put in', async () => {
  const { facts } = await crawl(
    {
      '/': '<div id=list></div><script src=/jquery.js></script><script src=/app.js></script>',
      '/jquery.js': { type: 'text/javascript', body: JQUERY },
      '/app.js': {
        type: 'text/javascript',
        body: `$('#list').html('<table><tr><th data-by="price">Price</th></tr></table><img src="/' + 'thumb?no=4" width=10 height=10>')
          $(document).on('click', 'th[data-by]', function () { $.get('/li' + 'st', { by: $(this).data('by') }) })`,
      },
      '/list': { type: 'application/json', body: '[]' },
      '/thumb': { type: 'image/png', body: 'x' },
    },
    { launchBrowser: sharedBrowser },
  )
  const asked = facts.requests.map(({ url }) => new URL(url).pathname + new URL(url).search)
  expect(asked).toContain('/list?by=price')
  expect(asked).toContain('/thumb?no=4')
})

it('routes behind the # that begin with a word are pages of their own, and each is asked all there is on it', async () => {
  const forms = (name: string) =>
    ['one', 'two', 'three']
      .map((of) => `<form class=task action=/${name}/${of}><input name=text value=x><button>Send</button></form>`)
      .join('')
  const { facts } = await crawl(
    {
      '/': '<ul id=menu></ul><div id=view></div><script src=/jquery.js></script><script src=/app.js></script>',
      '/jquery.js': { type: 'text/javascript', body: JQUERY },
      '/app.js': {
        type: 'text/javascript',
        body: `$.getJSON('/names', function (names) {
            $.each(names, function (i, name) { $('#menu').append($('<li>').append($('<a>').attr('href', '#lesson/' + name).text(name))) })
            function draw() { var name = location.hash.split('/')[1]; if (name) $('#view').load('/part/' + name) }
            $(window).on('hashchange', draw); draw()
          })
          $(document).on('submit', 'form.task', function (e) {
            e.preventDefault()
            $.ajax({ url: $(this).attr('action'), method: 'POST', contentType: 'application/xml', data: '<a><text>' + $(this).find('input').val() + '</text></a>' })
          })`,
      },
      '/names': { type: 'application/json', body: '["tents","maps","boats"]' },
      ...Object.fromEntries(['tents', 'maps', 'boats'].map((name) => [`/part/${name}`, forms(name)])),
    },
    { launchBrowser: sharedBrowser },
  )
  const sent = facts.requests.filter(({ encoding }) => encoding === 'xml').map(({ url }) => new URL(url).pathname)
  expect(sent.toSorted()).toEqual(
    ['tents', 'maps', 'boats'].flatMap((name) => ['one', 'two', 'three'].map((of) => `/${name}/${of}`)).toSorted(),
  )
  expect(facts.browser.pages).toBe(4)
})
