/** The pages on one loopback address, counting who asks for which, and slow or jittery where that is wanted. */
import { serveCase } from '../../src/modules/testing/collecting.ts'
import type { Surroundings, WebCase } from '../../testbed/web/case.ts'
import { inventoryOf, type Twin } from '../../testbed/web/inventory.ts'
import { serveCases } from '../../testbed/web/server.ts'

export interface Target {
  readonly address: string
  /** Requests by `twin/id` since the last call. */
  readonly counts: () => ReadonlyMap<string, number>
  /** The page that lists these cases for crawlers. */
  readonly list: (cases: readonly WebCase[]) => void
  readonly close: () => Promise<void>
}

export const startTarget = async (
  cases: readonly WebCase[],
  around: Surroundings,
  jitter: boolean,
): Promise<Target> => {
  const serve = serveCases(cases, around)
  let counts = new Map<string, number>()
  let listed: readonly WebCase[] = []
  const server = await serveCase(72, {
    http: (request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/'
      const [, twin, id] = path.split('/')
      const key = `${twin}/${id}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (path === '/') {
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(indexOf(listed))
        return
      }
      if (jitter) setTimeout(() => serve(request, response), 50 + Math.random() * 350)
      else serve(request, response)
    },
  })
  return {
    address: server.address,
    counts: () => {
      const now = counts
      counts = new Map()
      return now
    },
    list: (list) => {
      listed = list
    },
    close: server.close,
  }
}

/** A link or a form for each, with the one input that the page reads; what a crawler of links and forms cannot send is left out. */
const indexOf = (cases: readonly WebCase[]): string => {
  const entries = (['careless', 'careful'] as const).flatMap((twin) => cases.flatMap((one) => entryOf(one, twin)))
  return `<!doctype html><html lang="en"><head><title>Shop</title></head><body>${entries.join('\n')}</body></html>`
}

const entryOf = (one: WebCase, twin: Twin): readonly string[] => {
  const [request] = inventoryOf([one], '', twin).requests
  if (!request) return []
  const [path] = request.url.split('?')
  if (one.place === 'query') return [`<p><a href="${path}?q=${encodeURIComponent(one.value)}">${one.id}</a></p>`]
  if (one.place !== 'form' && one.place !== 'multipart') return []
  const type = one.place === 'multipart' ? ' enctype="multipart/form-data"' : ''
  const input = `<input name="q" value="${escaped(one.value)}">`
  return [`<form method="post" action="${path}"${type}>${input}<input type="submit"></form>`]
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
