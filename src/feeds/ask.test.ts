/** How feeds are asked for. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('by the proxy that the process is told of, as updates are', async () => {
  const asked: string[] = []
  const url = await serve((request, response) => {
    asked.push(request.url ?? '')
    response.end('by the proxy')
  })
  const script = `const { ask } = await import(${JSON.stringify(new URL('./ask.ts', import.meta.url).href)})
    const { body } = await ask('http://feeds.test/kev.json', {}, AbortSignal.timeout(20000))
    for await (const chunk of body) process.stdout.write(chunk)`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
    { env: { PATH: process.env.PATH, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: url } },
  )
  expect([stdout, asked]).toEqual(['by the proxy', ['http://feeds.test/kev.json']])
})
