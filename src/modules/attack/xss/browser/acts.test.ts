/** Elements that cannot be acted on, or are gone when they are: nothing happens, nothing fails, and what runs is seen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../../engine/browser/launch.ts'
import { type CaseCollect, type CaseServers, collectContext, serveCase } from '../../../testing/collecting.ts'
import { openProver, type Prover } from '../proving.ts'

const NONCE = 471_100
const CALL = `qxproof(${NONCE})`
/** Puts each of them there anew, as frameworks do that draw all the time. */
const CHURN = `<script>setInterval(() => { for (const one of document.querySelectorAll('[data-x]')) one.replaceWith(one.cloneNode(true)) }, 5)</script>`

/** Milliseconds; a frame costs some of a processor to make, and a page more. */
const EVERY = process.env.SONDE_LONG ? 5 : 30

const UNSEEN: Readonly<Record<string, string>> = {
  'not displayed': `<a style="display:none" href="javascript:${CALL}">Go</a>`,
  hidden: `<button style="visibility:hidden" onclick="${CALL}">Go</button>`,
  'in what is hidden': `<div hidden><input onfocus="${CALL}"></div>`,
  'without a size': `<a style="display:block;width:0;height:0;overflow:hidden" onmouseover="${CALL}">Go</a>`,
  'far outside': `<a style="position:fixed;left:-9000px" onclick="${CALL}">Go</a>`,
  'that takes no pointer': `<a style="pointer-events:none" onclick="${CALL}">Go</a>`,
  'behind another': `<button onclick="${CALL}">Go</button><div style="position:fixed;inset:0;background:#fff"></div>`,
  disabled: `<button disabled onclick="${CALL}">Go</button>`,
  'drawn anew all the time': `<a data-x onkeydown="no" title="${CALL}">Go</a>${CHURN}`,
  'taken away when it is pointed at': `<a onmouseover="this.remove()" title="${CALL}" onclick="${CALL}">Go</a>`,
  'in a frame that comes and goes': `<iframe id=f srcdoc='<a title="${CALL}">Go</a>'></iframe><script>setInterval(() => { const one = f; one.remove(); document.body.append(one) }, ${EVERY})</script>`,
  'of a page that loads itself again': `<a title="${CALL}">Go</a><script>setTimeout(() => location.reload(), ${4 * EVERY})</script>`,
  'of a page that asks whether to leave': `<a title="${CALL}" href="/">Go</a><script>onbeforeunload = () => 'stay'</script>`,
  'of a page that closes itself': `<a title="${CALL}">Go</a><script>setTimeout(() => close(), 30)</script>`,
}
/** Of what has no place to point at, one stands for the others. */
const ALIKE: readonly string[] = process.env.SONDE_LONG
  ? []
  : ['hidden', 'in what is hidden', 'without a size', 'that takes no pointer', 'of a page that asks whether to leave']
const SEEN: Readonly<Record<string, string>> = {
  shown: `<button onclick="${CALL}">Go</button>`,
  'below the edge of the window': `<p style="height:9000px"></p><a onclick="${CALL}">Go</a>`,
  'of a form without a field': `<form onreset="${CALL}; throw 1"></form>`,
}

let site: CaseServers
let collecting: CaseCollect
let prover: Prover
beforeAll(async () => {
  const pages = { ...UNSEEN, ...SEEN }
  site = await serveCase(158, {
    http: (request, response) => {
      const name = decodeURIComponent(request.url?.slice(1) ?? '')
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><title>x</title>${pages[name] ?? ''}`)
    },
  })
  collecting = collectContext(site.address, { module: 'xss', launchBrowser, requests: 100_000 })
  const opened = await openProver(collecting.ctx)
  if (typeof opened === 'string') throw new Error(opened)
  prover = opened
}, 60_000)
afterAll(async () => {
  await prover?.close()
  await collecting?.close()
  await site?.close()
})

const ran = async (name: string) => {
  const url = `http://shop.test/${encodeURIComponent(name)}`
  return (await prover.prove({ method: 'GET', url, body: null }, NONCE)).ran
}

describe('an element', { timeout: 60_000 }, () => {
  it.each(Object.keys(UNSEEN).filter((name) => !ALIKE.includes(name)))(
    '%s: nothing runs, nothing fails',
    async (name) => expect(await ran(name)).toBeNull(),
  )
  it.each(Object.keys(SEEN))('%s: is acted on', async (name) => expect(await ran(name)).toBe('click'))
})
