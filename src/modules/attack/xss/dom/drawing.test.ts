/** Pages that take their time: how long they are waited for, and what is said of those that were not waited for to the end. */
import { expect, it } from 'vitest'
import { scanned, scriptedOf } from '../testing/scanned.ts'

const HASH = 'decodeURIComponent(location.hash.slice(1))'
const SLOW = 4_000
const LONG = Boolean(process.env.SONDE_LONG)

/** Findings and state of a site with this page alone; `/slow` answers late, `/never` after all patience. */
const drawn = async (body: string) => {
  const { at, states } = await scanned(
    async (_sent, { url = '' }) => {
      if (url.startsWith('/slow')) await new Promise((resolve) => setTimeout(resolve, SLOW))
      if (url.endsWith('never')) await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
      return url.startsWith('/desk') ? body : '[]'
    },
    scriptedOf(['/desk']),
  )
  return { at, dom: states['xss/dom'] ?? '' }
}

const page = (script: string): string => `<p id=p></p><script>${script}</script>`

/** What comes late and then by a timer is both of the others. */
const LATE = [
  ['after data that comes late', `fetch('/slow').then((one) => one.text()).then(() => { p.innerHTML = ${HASH} })`],
  ['by a timer', `setTimeout(() => { p.innerHTML = ${HASH} }, 3000)`],
  [
    'by a timer behind late data, while it asks for news all the time',
    `setInterval(() => fetch('/news'), 150); fetch('/slow').then(() => setTimeout(() => { p.innerHTML = ${HASH} }, 1500))`,
  ],
] as const

it.each(LONG ? LATE : LATE.slice(-1))('waits for a page that draws itself %s', async (_name, script) => {
  expect((await drawn(page(script))).at).toEqual(['xss/fragment http://shop.test/desk fragment'])
})

/** One that asks again and again, and one that waits for what never comes. */
const RESTLESS = [
  ['ticks', 'setInterval(() => { p.textContent += 1 }, 100); const tick = () => setTimeout(tick, 300); tick()'],
  ['asks for news', "const ask = () => fetch('/news').then(() => setTimeout(ask, 200)); ask()"],
  ['waits for news', "fetch('/news?1').then(() => fetch('/news?2')).then(() => fetch('/news?never'))"],
  ['takes a stream', "new EventSource('/never')"],
  ['waits long for a timer, or no more', 'setTimeout(() => 0, 60000); clearTimeout(setTimeout(() => 0, 4000))'],
] as const

it.each(LONG ? RESTLESS : RESTLESS.slice(1, 3))('passes a page that %s', async (_name, script) => {
  expect((await drawn(page(script))).dom).toMatch(/^pass/)
})

it('waits for no connection for messages, which is neither opened nor refused', async () => {
  const client = `let tries = 0
    const open = () => {
      const asked = new XMLHttpRequest()
      asked.open('GET', '/socket.io/?EIO=4&transport=polling&t=' + tries)
      asked.onerror = () => setTimeout(open, 1000 + (tries += 1))
      asked.send()
    }
    open()
    p.innerHTML = ${HASH}`
  const took = async (script: string): Promise<number> => {
    const began = performance.now()
    expect((await drawn(page(script))).at).toEqual(['xss/fragment http://shop.test/desk fragment'])
    return performance.now() - began
  }
  const without = await took(`p.innerHTML = ${HASH}`)
  expect(await took(client)).toBeLessThan(without * 2 + ONE_LOOK)
})
/** Milliseconds that one look at a page takes which is not done with drawing itself; there are several. */
const ONE_LOOK = 8_000

it('passes no page that was still waiting for what it draws', async () => {
  expect((await drawn(page(`fetch('/never').then(() => { p.innerHTML = ${HASH} })`))).dom).toBe(
    'inconclusive of 1 pages: 1 still at work on what they show when their time was over',
  )
})
