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
