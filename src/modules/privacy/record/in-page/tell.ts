import type { Told } from '../told.ts'

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never
/** What a message says; who says it, when and in which order is put beside it. */
export type Message = Without<Told, 'realm' | 'seq' | 'worker' | 'at'>
export type Tell = (message: Message) => void

const MOST_TOLD = 3000
let told = 0

/** Whatever goes wrong here must not reach the page. It counts as if something had been told, so that it ends. */
export const quietly = (work: () => void): void => {
  try {
    work()
  } catch (error) {
    told += error ? 1 : 0
  }
}

/** A page tells by its binding, and passes on what its workers say in the channel of that name. */
export const openTeller = (name: string, isWorker: boolean): Tell => {
  const realm = Math.random().toString(36).slice(2)
  const bindings = globalThis as unknown as Record<string, ((text: string) => void) | undefined>
  const binding = isWorker ? undefined : bindings[name]
  const channel = openChannel(name)
  if (!isWorker) delete bindings[name]
  if (!isWorker && channel) {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string' && data.length < 20_000) binding?.(data)
    }
  }
  return (message) => {
    told += 1
    if (told > MOST_TOLD) return
    const text = JSON.stringify({ ...message, realm, seq: told, worker: isWorker, at: Date.now() })
    if (isWorker) channel?.postMessage(text)
    else binding?.(text)
  }
}

const openChannel = (name: string): BroadcastChannel | null => {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null // Some documents have no origin to share it with.
  }
}
