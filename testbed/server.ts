/** The demo shop with its planted flaws, and its fixed twin, on loopback addresses. */
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Identities, makeIdentities, type ServerIdentity } from './certificates.ts'
import { answer } from './shop/answer.ts'
import { memoryCarts } from './shop/carts.ts'
import type { Ask, Shop } from './shop/route.ts'

const LARGEST_FORM = 64 * 1024

export interface ShopPlace {
  readonly host: string
  /** A loopback address of its own. */
  readonly address: string
  /** Default 80 and 443, or free ones where the system reserves those; 0 picks a free one. */
  readonly ports?: { readonly http: number; readonly https: number }
}

export interface RunningShop {
  readonly host: string
  readonly address: string
  readonly http: number
  readonly https: number
}

export interface Testbed {
  readonly flawed: RunningShop
  readonly fixed: RunningShop
  /** PEM of the authority that issued the twin's certificate. */
  readonly authority: string
  readonly close: () => Promise<void>
}

export const startTestbed = async (where: {
  readonly flawed: ShopPlace
  readonly fixed: ShopPlace
}): Promise<Testbed> => {
  const identities = await makeIdentities({ flawed: where.flawed.host, fixed: where.fixed.host, now: Date.now() })
  const flawed = await startShop(where.flawed, false, identities)
  const fixed = await startShop(where.fixed, true, identities).catch(async (cause: unknown) => {
    await flawed.close()
    throw cause
  })
  return {
    flawed: flawed.shop,
    fixed: fixed.shop,
    authority: identities.authority,
    close: async () => {
      await Promise.all([flawed.close(), fixed.close()])
    },
  }
}

interface Started {
  readonly shop: RunningShop
  readonly close: () => Promise<void>
}

const startShop = async (place: ShopPlace, fixed: boolean, identities: Identities): Promise<Started> => {
  const carts = memoryCarts()
  let shop: Shop = { host: place.host, fixed, httpOrigin: '', httpsOrigin: '', carts }
  const listener =
    (secure: boolean): http.RequestListener =>
    (request, response) => {
      serve(request, response, shop, secure).catch((error: unknown) => {
        console.error(error)
        response.destroy()
      })
    }
  const plain = http.createServer(listener(false))
  const secure = https.createServer(tlsOptions(fixed, fixed ? identities.fixed : identities.flawed), listener(true))
  const ports = { http: await listenAs(plain, place, place.ports?.http ?? null, 80), https: 0 }
  try {
    ports.https = await listenAs(secure, place, place.ports?.https ?? null, 443)
  } catch (cause) {
    await stop(plain)
    throw cause
  }
  shop = {
    ...shop,
    httpOrigin: `http://${authority(place.host, ports.http, 80)}`,
    httpsOrigin: `https://${authority(place.host, ports.https, 443)}`,
  }
  return {
    shop: { host: place.host, address: place.address, ...ports },
    close: async () => {
      await Promise.all([stop(plain), stop(secure)])
    },
  }
}

/** The flawed shop still speaks TLS 1.0 and has not heard of 1.3. */
const tlsOptions = (fixed: boolean, identity: ServerIdentity): https.ServerOptions =>
  fixed
    ? { ...identity, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' }
    : { ...identity, minVersion: 'TLSv1', maxVersion: 'TLSv1.2', ciphers: 'DEFAULT@SECLEVEL=0' }

const serve = async (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  shop: Shop,
  secure: boolean,
): Promise<void> => {
  const url = URL.parse(request.url ?? '/', secure ? shop.httpsOrigin : shop.httpOrigin)
  const form = request.method === 'POST' ? await readForm(request) : new URLSearchParams()
  if (url === null || form === null) {
    response.writeHead(url === null ? 400 : 413, { Connection: 'close' }).end()
    return
  }
  const cookies = new Map(
    (request.headers.cookie ?? '').split(/; */).map((pair) => pair.split('=', 2) as [string, string]),
  )
  const ask: Ask = {
    method: request.method ?? 'GET',
    url,
    header: (name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : null
    },
    cookie: (name) => cookies.get(name) ?? null,
    form,
    secure,
    nonce: randomBytes(16).toString('base64'),
    shop,
  }
  const { status, headers, body } = answer(ask)
  response.writeHead(status, headers.flat())
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Null when it is larger than any form of the shop. */
const readForm = async (request: http.IncomingMessage): Promise<URLSearchParams | null> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += (part as Buffer).length
    if (size > LARGEST_FORM) return null
    parts.push(part as Buffer)
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}

/** An unprivileged user may not have the usual port; then any will do. */
const listenAs = (server: http.Server, place: ShopPlace, wanted: number | null, usual: number): Promise<number> =>
  listen(server, place.address, wanted ?? usual).catch((cause: NodeJS.ErrnoException) => {
    if (wanted === null && cause.code === 'EACCES') return listen(server, place.address, 0)
    throw cause
  })

const listen = (server: http.Server, address: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

const stop = (server: http.Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
    server.closeAllConnections()
  })

const authority = (host: string, port: number, usual: number): string => (port === usual ? host : `${host}:${port}`)
