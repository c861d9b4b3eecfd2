/** Servers that send files by their length, on the machine's own files. */
import { open, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Plan } from '../../insertion-points/plan.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import { closeProbed, crawlOf, pointOf, probed } from '../../insertion-points/testing/probing.ts'
import { isProven } from '../proven.ts'
import { pathWays } from './files.ts'

afterEach(closeProbed)

/** As sendfile(2), Content-Length from stat(2) and their like do: what the file says it holds, and no octet more. */
const byLength = async (folder: string, name: string, response: ServerResponse): Promise<void> => {
  const path = join(folder, name)
  const known = await stat(path).catch(() => null)
  if (!known?.isFile()) return void response.writeHead(404).end('There is no such file.')
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(known.size), 0, known.size, 0)
  await file.close()
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': known.size })
  response.end(buffer.subarray(0, bytesRead))
}

const plan: Partial<Plan<string>> = {
  probe: async (probe, found) => {
    await probe.baseline()
    await probe.control()
    const hit = await firstOf(pathWays(probe))
    if (hit && isProven(hit)) found(hit.files.map(({ path }) => path).join())
  },
}

it.each([
  ['whatever it is called', (name: string) => name, ['query file']],
  ['its name alone', (name: string) => name.replace(/.*\//, ''), []],
] as const)('%s', async (_name, nameOf, expected) => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = new URL(request.url ?? '/', 'http://shop.test').searchParams.get('file') ?? ''
    if (name === 'terms.txt') response.end('Goods can be sent back within 30 days.')
    else await byLength('/usr/share/doc', name.includes('\0') ? 'none' : nameOf(name), response)
  }
  const crawl = crawlOf([pointOf('get', 'query', 'file', 'terms.txt')])
  const requests = crawl.requests.map((one) => ({ ...one, url: 'http://shop.test/get?file=terms.txt' }))
  const { hits, facts } = await probed(serve, { ...crawl, requests }, null, null, plan)
  expect(hits).toEqual(expected)
  expect(facts.points[0]?.hits).toEqual(expected.map(() => '/sys/kernel/notes,/sys/kernel/notes'))
})
