/** What the browser fills in where a script reads a form, in a real browser. */
import { afterEach, expect, it } from 'vitest'
import { sharedBrowser } from '../../../../engine/testing/shared-browser.ts'
import { closeCrawled, crawl } from '../testing/crawling.ts'

afterEach(closeCrawled)

it('a form that shows its result in itself is sent, with what its fields are called after', async () => {
  const { facts } = await crawl(
    {
      '/': '<form id=form><fieldset><input name=website><input name=amount><input name=nick></fieldset><output></output></form><script src=/app.js></script>',
      '/app.js': {
        type: 'text/javascript',
        body: `document.getElementById('form').onsubmit = (event) => {
          event.preventDefault()
          fetch('/no' + 'te', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(Object.fromEntries(new FormData(event.target))) })
        }`,
      },
    },
    { launchBrowser: sharedBrowser },
  )
  const [sent] = facts.requests.filter(({ url, body }) => url.endsWith('/note') && body !== null)
  expect(JSON.parse(sent?.body ?? '{}')).toEqual({ website: 'https://example.org/', amount: '1', nick: 'test' })
})

it('a code that takes something off is left out where one that nobody has is refused', async () => {
  const { facts } = await crawl(
    {
      '/': '<form id=order><input name=seats type=number><input name=coupon></form><script src=/app.js></script>',
      '/app.js': {
        type: 'text/javascript',
        body: `document.getElementById('order').onsubmit = (event) => {
          event.preventDefault()
          const { seats, coupon } = Object.fromEntries(new FormData(event.target))
          fetch('/or' + 'ders', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ seats, coupon: coupon || undefined }) })
        }`,
      },
      '/orders': (_request, body) => (body.includes('coupon') ? { status: 422, body: 'unknown code' } : 'thank you'),
    },
    { launchBrowser: sharedBrowser },
  )
  const bodies = facts.requests.flatMap(({ url, body }) => (url.endsWith('/orders') && body !== null ? [body] : []))
  expect(bodies).toContain('{"seats":"1"}')
})

it('a file is chosen before a button that sends what was chosen, wherever it stands', async () => {
  const { facts } = await crawl(
    {
      '/': '<button id=send>Send them</button><div><input type=file id=files></div><script src=/app.js></script>',
      '/app.js': {
        type: 'text/javascript',
        body: `const chosen = []
        document.getElementById('files').onchange = (event) => chosen.push(...event.target.files)
        document.getElementById('send').onclick = () => {
          for (const one of chosen.splice(0)) {
            const body = new FormData()
            body.append('recording', one)
            fetch(['', 'keep'].join('/'), { method: 'POST', body })
          }
        }`,
      },
    },
    { launchBrowser: sharedBrowser },
  )
  const sent = facts.requests.find(({ url }) => url.endsWith('/keep'))
  expect(sent?.fields.map(({ name, type }) => [name, type])).toEqual([['recording', 'file']])
})

it('a field that holds a value is changed to the same, where somebody hears of it', async () => {
  const { facts } = await crawl(
    {
      '/': '<title>line</title><input type=number value=2 id=qty><script src=/app.js></script>',
      '/app.js': {
        type: 'text/javascript',
        body: `document.getElementById('qty').addEventListener('change', ({ target }) =>
          fetch('/' + document.title, { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ qty: target.value }) }))`,
      },
    },
    { launchBrowser: sharedBrowser },
  )
  const [sent] = facts.requests.filter(({ url, source }) => url.endsWith('/line') && source === 'browser')
  expect(sent?.body).toBe('{"qty":"2"}')
})

it.each([
  ['the box itself', "document.querySelector('input')"],
  ['the form around it', "document.querySelector('form')"],
])('a box is chosen where %s hears of it', async (_where, who) => {
  const { facts } = await crawl(
    {
      '/': '<title>goods</title><form><label><input type=checkbox value=7> Tents</label></form><script src=/app.js></script>',
      '/app.js': {
        type: 'text/javascript',
        body: `${who}.addEventListener('change', ({ target }) => { if (target.checked) fetch('/' + document.title + '?group[]=' + target.value) })`,
      },
      '/goods': { type: 'application/json', body: '[{"name":"Arctic"}]' },
    },
    { launchBrowser: sharedBrowser },
  )
  expect(facts.requests.map(({ url }) => url)).toContainEqual(expect.stringContaining('/goods?group[]=7'))
})

it('no box is chosen that says a deed beside it', async () => {
  const { facts } = await crawl(
    {
      '/': '<title>goods</title><label><input type=checkbox value=7> Delete everything</label><script src=/app.js></script>',
      '/app.js': {
        type: 'text/javascript',
        body: "document.querySelector('input').addEventListener('change', () => fetch('/' + document.title))",
      },
      '/goods': { type: 'application/json', body: '[]' },
    },
    { launchBrowser: sharedBrowser },
  )
  expect(facts.requests.filter(({ url, source }) => url.endsWith('/goods') && source === 'browser')).toEqual([])
})
