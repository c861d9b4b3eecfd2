/** A page under way is left when the module is about to be ended, and what was found there by then is told; and what no time is spent on. */
import { expect, it } from 'vitest'
import { scanned, scriptedOf } from '../testing/scanned.ts'

/** Asked in many ways, as it reads names, keeps things and listens. */
const PAGE = `<p id=p></p><script>const at = new URLSearchParams(location.search)
p.textContent = (at.get('tone') ?? '') + (at.get('size') ?? '') + localStorage.getItem('view') + document.cookie
addEventListener('message', ({ data }) => { p.textContent = data })</script>`

const visited = async (least: number) => {
  const asked: string[] = []
  const { states } = await scanned(
    (_sent, { url = '' }) => {
      if (url.startsWith('/board')) asked.push(url)
      return url.startsWith('/board') ? PAGE : ''
    },
    scriptedOf(['/board']),
    ...([null, 'test', 'text/html'] as const),
    () => ({ secondsToEnd: () => (asked.length >= least ? 5 : 3_000) }),
  )
  return { asked: asked.length, dom: states['xss/dom'] }
}

it('opens nothing more, and passes nothing', async () => {
  const all = await visited(Number.POSITIVE_INFINITY)
  const cut = await visited(2)
  expect(all.dom).toBe('pass ')
  expect(cut.dom).toBe('inconclusive of 1 pages: 1 not asked to the end before the time was over')
  expect(cut.asked).toBeLessThan(all.asked)
}, 240_000)

it('proves nothing more, and says that it did not', async () => {
  const proofs = async (most: number) => {
    let sent = 0
    const page = `<p id=p></p><script>const shown = decodeURIComponent(location.search.slice(6))
if (!/on\\w+=|<script|javascript:/i.test(shown)) p.innerHTML = shown</script>`
    const { states } = await scanned(
      (_sent, { url = '' }) => {
        if (url.includes('qxproof')) sent += 1
        return url.startsWith('/board') ? page : ''
      },
      scriptedOf(['/board?tone=red']),
      ...([null, 'test', 'text/html'] as const),
      () => ({ secondsToEnd: () => (sent >= most ? 5 : 3_000) }),
    )
    return { sent, dom: states['xss/dom'] }
  }
  const all = await proofs(Number.POSITIVE_INFINITY)
  const cut = await proofs(1)
  expect(all.sent).toBeGreaterThan(3)
  expect(cut.sent).toBeLessThan(all.sent)
  expect(cut.dom).toContain('inconclusive')
}, 240_000)

it('a load by which a page is looked at, or a lead proven, opens no connection for messages', async () => {
  let connections = 0
  const page = `<p id=p></p><script>fetch('/live/?EIO=4&transport=polling').catch(() => 0)
p.innerHTML = decodeURIComponent(location.hash.slice(1))</script>`
  const { found } = await scanned(
    (_sent, { url = '' }) => {
      if (url.startsWith('/live/')) connections += 1
      return url.startsWith('/board') ? page : ''
    },
    scriptedOf(['/board']),
  )
  expect(found).toEqual(['xss/fragment confirmed'])
  expect(connections).toBe(0)
}, 120_000)
