/** What leaves by other ways than requests that the network shows whole: beacons and sockets. */
import { wrap, wrapConstructor } from './natives.ts'
import { scope } from './scope.ts'
import { scriptOf } from './stack.ts'
import { quietly, type Tell } from './tell.ts'

/** Absolute, as the page means it. */
export const absolute = (url: unknown): string => String(new URL(String(url), location.href))

export const watchSent = (tell: Tell): void => {
  const sent = (channel: 'beacon' | 'websocket', url: string, body: unknown): void => {
    const script = scriptOf()
    const say = (data: unknown): void =>
      tell({ kind: 'sent', channel, url: url.slice(0, 2048), body: String(data).slice(0, 8192), script })
    if (scope.Blob !== undefined && body instanceof scope.Blob) void body.text().then(say)
    else if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) say(new TextDecoder().decode(body))
    else if (scope.FormData !== undefined && body instanceof scope.FormData)
      say(new URLSearchParams([...body].map(([key, value]) => [key, String(value)])))
    else say(body ?? '')
  }
  wrap(scope.Navigator?.prototype, 'sendBeacon', (_, [url, body]) => sent('beacon', absolute(url), body))
  wrap(scope.WebSocket?.prototype, 'send', (self, [data]) => sent('websocket', self.url, data))
  wrapConstructor('WebSocket', ([url]) => {
    quietly(() => tell({ kind: 'socket', url: absolute(url), script: scriptOf() }))
    return null
  })
}
