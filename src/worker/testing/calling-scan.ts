/** A scan child whose target is itself: it calls an address that it issued, and says what it heard of that. */
import { get } from 'node:http'
import { createOobInbox, type OobInbox } from '../../engine/out-of-band.ts'
import type { FromChild, RunSpec, ToChild } from '../../engine/protocol.ts'

let inbox: OobInbox | null = null

const send = (message: FromChild): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, {}, () => resolve()))

const start = async ({ outOfBand }: RunSpec): Promise<void> => {
  let heard = 'no listener'
  if (outOfBand) {
    inbox = createOobInbox(outOfBand, () => undefined)
    const { token, url } = inbox.issue('test')
    get(`${url}hello`, (response) => response.resume())
    heard = (await inbox.hits(token, 10_000)).map(({ detail }) => detail).join()
  }
  await send({ type: 'progress', phase: 'active', detail: heard, progress: 50 })
  await send({ type: 'ended', result: 'completed' })
  process.exit(0)
}

process.on('message', (message: ToChild) => {
  if (message.type === 'called') inbox?.arrived(message.hit)
  if (message.type === 'start') void start(message.spec)
})
