/** What a fault of ours on one page costs. */
import { expect, it } from 'vitest'
import { sharedBrowser } from '../../../../engine/testing/shared-browser.ts'
import { heldBeside } from '../../../faults.ts'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { openProver } from '../proving.ts'
import { exploreDom } from './explore.ts'

const pageAt = (path: string): string =>
  `<p id=p></p><button id=b>Show</button><script>/* ${path} */ b.onclick = () => { p.innerHTML = decodeURIComponent(location.hash.slice(1)) }</script>`

it('a fault of the scanner on one page costs that page, and the others are asked', async () => {
  const server = await serveCase(198, {
    http: (request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(pageAt(request.url ?? ''))
    },
  })
  const { ctx, close } = collectContext(server.address, {
    module: 'xss',
    requests: 1_000,
    launchBrowser: sharedBrowser,
  })
  const prover = await openProver(ctx)
  if (typeof prover === 'string') throw new Error(prover)
  const { hand } = prover
  const pressAll: typeof hand.pressAll = (page, ...rest) =>
    page.url().includes('/desk') ? Promise.reject(new Error('ours')) : hand.pressAll(page, ...rest)
  try {
    const facts = await exploreDom({
      pages: ['http://shop.test/desk', 'http://shop.test/wall'],
      prover: { ...prover, hand: { ...hand, pressAll } },
      excludes: () => false,
      held: (work) => heldBeside(ctx, 'scripts of pages', work),
      mayContinue: async () => true,
      progress: () => undefined,
    })
    expect(facts.short).toEqual([{ reason: expect.stringMatching(/^a fault of the scanner \(F-/), count: 1 }])
    expect([...new Set(facts.hits.map(({ page }) => page))]).toEqual(['http://shop.test/wall'])
  } finally {
    await prover.close()
    await close()
    await server.close()
  }
})
