/** Messages to the worker, one at a time and in order; the channel's own buffer never grows. */
import type { FromChild } from './protocol.ts'

export interface Outbox {
  /** Queues a message. A progress message that still waits is replaced by a newer one. */
  readonly post: (message: FromChild) => void
  /** Resolves when everything posted so far was taken; rejects when the channel is gone. */
  readonly flushed: () => Promise<void>
}

/** `send` resolves when the channel has taken the message. After its first failure everything else is dropped. */
export const createOutbox = (send: (message: FromChild) => Promise<void>, onLost: (error: unknown) => void): Outbox => {
  const waiting: FromChild[] = []
  let pump: Promise<void> | null = null
  let lost: { readonly error: unknown } | null = null

  const run = async (): Promise<void> => {
    try {
      for (let message = waiting.shift(); message; message = waiting.shift()) await send(message)
    } catch (error) {
      lost = { error }
      waiting.length = 0
      onLost(error)
    } finally {
      pump = null
    }
  }

  return {
    post: (message) => {
      if (lost) return
      const last = waiting.at(-1)
      if (message.type === 'progress' && last?.type === 'progress') waiting[waiting.length - 1] = message
      else waiting.push(message)
      pump ??= run()
    },
    flushed: async () => {
      await pump
      if (lost) throw new Error('the worker is gone', { cause: lost.error })
    },
  }
}
