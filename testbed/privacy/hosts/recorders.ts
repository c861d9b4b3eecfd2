/** Session recorders: they watch the page and upload what changes and what is typed. */
import { EMPTY, script } from '../page.ts'
import type { Hosts } from './hosts.ts'

const recorder = (to: string): string => `(() => {
  const events = []
  const note = (type, data) => events.push({ type, data, timestamp: Date.now() })
  note(2, { node: document.documentElement.outerHTML.slice(0, 2000) })
  new MutationObserver((list) => { for (const m of list) note(3, { source: 0, target: m.target.nodeName }) })
    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  addEventListener('mousemove', (e) => note(3, { source: 1, x: e.clientX, y: e.clientY }))
  addEventListener('input', (e) => note(3, { source: 5, text: e.target.value }), true)
  const flush = () => { if (events.length) fetch(${JSON.stringify(to)}, { method: 'POST', mode: 'no-cors', body: JSON.stringify({ events: events.splice(0) }) }) }
  setInterval(flush, 400)
})()`
/** The same, but with everything typed left out. */
const masked = (to: string): string =>
  recorder(to).replace('text: e.target.value', "text: '*'.repeat(e.target.value.length)")

export const RECORDERS: Hosts = {
  'static.hotjar.com': { '*': script(masked('https://content.hotjar.io/?gzip=1')) },
  'content.hotjar.io': { '*': EMPTY },
  'www.clarity.ms': { '*': script(masked('https://k.clarity.ms/collect')) },
  'k.clarity.ms': { '*': EMPTY },
  'edge.fullstory.com': { '*': script(recorder('https://rs.fullstory.com/rec/bundle?OrgId=T')) },
  'rs.fullstory.com': { '*': EMPTY },
  'cdn.mouseflow.com': { '*': script('window._mfq = window._mfq || []') },
}
