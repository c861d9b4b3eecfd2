/** What somebody else needs to see the same: an address to open, or a page that does it. `alert` stands for our call. */
import { FOREIGN, foreignOrigin } from '../browser/approach.ts'
import type { DomHit } from '../facts.ts'
import { CALL } from '../payloads/calls.ts'
import { fetchedWith } from '../proving.ts'

export const domReplay = (hit: DomHit): string =>
  hit.sink === 'fetch'
    ? `Let a host of your own answer this, with the header Access-Control-Allow-Origin: *\n${fetchedWith('alert(1)')}Put its name in place of the one that ends on ${FOREIGN}.\n${stepsOf(hit)}`
    : stepsOf(hit)

const stepsOf = (hit: DomHit): string => {
  const shown = (text: string): string => text.replaceAll(CALL, 'alert')
  const address = shown(hit.address)
  const deeds = hit.deeds ?? (hit.ran === 'click' ? ['click what the page made of it'] : [])
  const after = deeds.length === 0 ? '' : `\nThen ${deeds.join(', then ')}.`
  switch (hit.source) {
    case 'fragment':
    case 'query':
    case 'path':
      if (hit.opened !== undefined)
        return `${pageThat(`const page = window.open(${quoted(hit.opened)})
setTimeout(() => { page.location = ${quoted(address)} }, 2000)`)}${after}`
      return `Open this address:\n${address}${after}`
    case 'message':
      return `${pageThat(
        `const page = window.open(${quoted(address)})
setInterval(() => page.postMessage(${inScript(shown(hit.message ?? 'null'))}, '*'), 1000)`,
        hit.from,
      )}${after}`
    case 'window-name':
      return `${pageThat(`window.open(${quoted(address)}, ${quoted(shown(hit.payload))})`)}${after}`
    case 'referrer':
      return `Open a page at ${foreignOrigin(hit.page)}/?${shown(hit.payload)} or any other site, with this in it:
<meta name="referrer" content="unsafe-url"><script>location = ${quoted(address)}</script>${after}`
    case 'storage':
      return `Open ${address}, run this in its console, and load it again:
localStorage.setItem(${quoted(hit.name ?? '')}, ${quoted(shown(hit.payload))})
sessionStorage.setItem(${quoted(hit.name ?? '')}, ${quoted(shown(hit.payload))})${after}`
    case 'cookie':
      return `Open ${address}, run this in its console, and load it again:
document.cookie = ${quoted(`${hit.name ?? ''}=${shown(hit.payload).replaceAll(';', '%3B')}; path=/`)}${after}`
  }
}

const pageThat = (code: string, from = 'any other site'): string =>
  `Open a page of ${from} with this in it, and click:\n<script>onclick = () => {\n${code}\n}</script>`

const inScript = (json: string): string => json.replaceAll('<', '\\u003c')
const quoted = (text: string): string => inScript(JSON.stringify(text))
