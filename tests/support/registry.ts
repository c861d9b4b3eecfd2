/** A registry of npm packages on loopback, for set-ups without npm: the tarballs of a few, the rest by redirect. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Registry {
  readonly url: string
  /** Paths asked for, as they came. */
  readonly asked: readonly string[]
  readonly close: () => void
}

/** `tarballs` by path, `/name/-/name-1.0.0.tgz`; every other path is sent on to `upstream`, or is 404 without one. */
export const startRegistry = async (
  tarballs: Readonly<Record<string, Buffer>>,
  upstream?: string,
): Promise<Registry> => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    const tarball = tarballs[path]
    if (tarball !== undefined) response.writeHead(200, { 'content-length': tarball.length }).end(tarball)
    else if (upstream === undefined) response.writeHead(404).end()
    else response.writeHead(302, { location: new URL(path, upstream).href }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close }
}
