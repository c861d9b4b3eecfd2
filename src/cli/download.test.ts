/** Files of a run from an address that closes, refuses, or gives something else. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Client } from '../contract/client.ts'
import { download } from './client.ts'

let folder: string
const servers: { readonly close: () => unknown }[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-download-'))
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  rmSync(folder, { recursive: true, force: true })
})

const listening = async (server: Server | ReturnType<typeof createTcpServer>): Promise<string> => {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`
}

/** The two calls that a download makes. */
const clientOf = (url: string, body: Buffer): Client => {
  const filename = 'report.pdf'
  const item = {
    id: '1',
    kind: 'report_pdf',
    filename,
    version: 1,
    sha256: createHash('sha256').update(body).digest('hex'),
  }
  return {
    signArtifactUrl: async () => ({ url, filename, version: 1 }),
    listArtifacts: async () => ({ items: [item] }),
  } as unknown as Client
}

const get = (url: string, body: Buffer) =>
  download(clientOf(url, body), 'run', 'report_pdf', {
    ...{ to: join(folder, 'report.pdf'), artifactId: null, version: null },
    signal: new AbortController().signal,
  })

it('a server that closes while the body waits for the disk ends nothing', async () => {
  const body = Buffer.alloc(4_000_000, 'x')
  const url = await listening(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(`HTTP/1.0 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`)
        socket.end(body)
      })
    }),
  )
  for (let turn = 0; turn < 10; turn += 1) expect((await get(url, body)).size).toBe(body.length)
  expect(readFileSync(join(folder, 'report.pdf')).equals(body)).toBe(true)
})

it.each([
  ['refuses', 410, 'whole', /answered 410/],
  ['gives something else', 200, 'other', /arrived damaged/],
])('an address that %s leaves no file', async (_what, status, given, message) => {
  const url = await listening(createServer((_, response) => void response.writeHead(status).end(given)))
  await expect(get(url, Buffer.from('whole'))).rejects.toThrow(message)
  expect(existsSync(join(folder, 'report.pdf'))).toBe(false)
  expect(existsSync(join(folder, 'report.pdf.part'))).toBe(false)
})
