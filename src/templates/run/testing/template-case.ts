/** One template against one real server on loopback. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CollectContext } from '../../../modules/module.ts'
import { caseAddress, collectContext } from '../../../modules/testing/collecting.ts'
import type { Value } from '../../language/expression/value.ts'
import { parseTemplate } from '../../language/parse/template.ts'
import type { Template } from '../../language/template.ts'
import { vocabularyOf } from '../../language/vocabulary.ts'
import type { Hit } from '../hit.ts'
import { createHttpClient } from '../http/client.ts'
import type { Listener } from '../out-of-band.ts'
import { runTemplate, type TemplateOutcome } from '../run-template.ts'
import { targetOf } from '../values.ts'

export interface Seen {
  readonly line: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface Served {
  readonly port: number
  readonly seen: readonly Seen[]
  readonly close: () => Promise<void>
}

/** `answer` gets the whole body first, so that cases are short. */
export const serveTemplateCase = async (
  address: string,
  answer: (request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1], body: string) => void,
): Promise<Served> => {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('latin1')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
      answer(request, response, body)
    })
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** `yaml` is what stands below `info`. @throws when it is not a template that runs */
export const templateOf = (yaml: string, change: { readonly tags?: string; readonly file?: string } = {}): Template => {
  const text = `id: case\ninfo:\n  name: Case\n  author: sonde\n  severity: high\n  tags: ${change.tags ?? 'case'}\n${yaml}`
  const parsed = parseTemplate(text, change.file ?? 'case.yaml', (file) => LISTS[file] ?? null)
  if (parsed.kind !== 'template') throw new Error(JSON.stringify(parsed))
  return parsed.template
}

/** Payload files that cases may name. */
const LISTS: Readonly<Record<string, readonly string[]>> = { 'lists/names.txt': ['one', 'two', 'three'] }

export interface Ran extends TemplateOutcome {
  readonly names: readonly string[]
  readonly urls: readonly (string | undefined)[]
}

export const caseTarget = (port: number, path = ''): string => `http://shop.test:${port}${path}`

interface CaseChange {
  readonly given?: Readonly<Record<string, Value>>
  readonly listener?: Listener
}

export const runCase = async (
  template: Template,
  at: { readonly address: string; readonly port: number; readonly path?: string },
  change: CaseChange = {},
): Promise<Ran> => {
  const { ctx, close } = collectContext(at.address, { module: 'templates', requests: 2_000, port: at.port })
  try {
    return await runIn(ctx, template, caseTarget(at.port, at.path), change)
  } finally {
    await close()
  }
}

/** With a context that the caller keeps, for cases that share a browser. */
export const runIn = async (
  ctx: CollectContext,
  template: Template,
  target: string,
  change: CaseChange = {},
): Promise<Ran> => {
  const outcome = await runTemplate(template, targetOf(target), {
    egress: ctx.egress,
    client: createHttpClient(ctx.egress, vocabularyOf([template])),
    signal: ctx.signal,
    browser: ctx.browser,
    given: new Map(Object.entries(change.given ?? {})),
    readList: (file) => LISTS[file] ?? null,
    listener: change.listener ?? null,
  })
  if (outcome.broken) throw outcome.broken.error
  const called = await outcome.pending(2_000)
  const hits: readonly Hit[] = [...outcome.hits, ...called]
  return { ...outcome, hits, names: hits.map(({ name }) => name), urls: hits.map(({ at: place }) => place.url) }
}

export { caseAddress }
