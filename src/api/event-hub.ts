/**
 * One LISTEN of the database feeds every open event stream. Streams of the same run share each read: a wake-up of a run
 * that a thousand people watch is one query and one rendering.
 */
import type { RunEvent } from '../contract/event.ts'

/** An event as it goes over the wire. */
export interface Frame {
  readonly seq: number
  readonly text: string
  /** True for `done`, after which nothing comes. */
  readonly last: boolean
}

/** One open stream. The hub never holds frames for it: a sink that cannot take more reads them again later. */
export interface Sink {
  readonly runId: string
  /** What has to stay valid while it is open: see credential.ts. */
  readonly credential: string
  /** The last event handed over. */
  after: number
  readonly closed: () => boolean
  readonly write: (frames: readonly Frame[]) => void
  /** True while earlier frames wait in the socket. */
  readonly full: () => boolean
  /** Resolves when it can take more; false when it did not in time, or closed. */
  readonly drained: () => Promise<boolean>
  readonly comment: () => void
  readonly end: () => void
  /** Cuts the connection of a reader that does not read. */
  readonly drop: () => void
}

export interface EventHub {
  /** Resolves once the stream is live, or has ended. `ended`: the run had ended when it was read last. */
  readonly follow: (sink: Sink, ended: boolean) => Promise<void>
  readonly size: () => number
  /** Ends every stream; their clients come back with Last-Event-ID. */
  readonly close: () => Promise<void>
}

export interface HubSource {
  readonly read: (runId: string, after: number, limit: number) => Promise<readonly RunEvent[]>
  /** Calls back with a run that has new events; with null when any run may have. */
  readonly listen: (onRun: (runId: string | null) => void) => Promise<() => Promise<void>>
  readonly isValid: (credential: string) => Promise<boolean>
  readonly onError: (error: unknown) => void
}

interface Channel {
  /** Up to where the live streams were fed. */
  position: number
  readonly live: Set<Sink>
  /** Streams that still catch up. */
  joining: number
  reading: boolean
  /** A wake-up came that no read has answered yet. */
  woken: boolean
}

/** Events of one read; bounds what one stream can hold in memory. */
const PAGE = 200
const COMMENT_EVERY = 15_000
/** A revoked key ends its streams within a minute: two looks fit. */
const KEYS_EVERY = 25_000

export const createHub = async (source: HubSource): Promise<EventHub> => {
  const channels = new Map<string, Channel>()
  const sinks = new Set<Sink>()

  const stopListening = await source.listen((runId) => {
    for (const id of runId === null ? [...channels.keys()] : [runId]) wake(id)
  })

  const wake = (runId: string): void => {
    const channel = channels.get(runId)
    if (channel === undefined) return
    channel.woken = true
    if (channel.live.size > 0) void pump(runId, channel)
  }

  /** Feeds the live streams of a run until nothing new is there. */
  const pump = async (runId: string, channel: Channel): Promise<void> => {
    if (channel.reading) return
    channel.reading = true
    try {
      while (channel.woken && channel.live.size > 0) {
        channel.woken = false
        const events = await source.read(runId, channel.position, PAGE)
        const frames = events.map(toFrame)
        channel.position = frames.at(-1)?.seq ?? channel.position
        if (events.length === PAGE) channel.woken = true
        for (const sink of channel.live) feed(channel, sink, frames)
      }
    } catch (error) {
      // The next tick tries again from the same position.
      channel.woken = true
      source.onError(error)
    } finally {
      channel.reading = false
    }
  }

  const feed = (channel: Channel, sink: Sink, frames: readonly Frame[]): void => {
    if (sink.closed()) forget(sink)
    else if (!sink.full()) hand(sink, frames)
    else {
      // Reads on at its own speed; nothing is kept for it meanwhile.
      channel.live.delete(sink)
      void follow(sink, false)
    }
  }

  const hand = (sink: Sink, frames: readonly Frame[]): void => {
    const fresh = frames.filter((frame) => frame.seq > sink.after)
    const last = fresh.at(-1)
    if (last === undefined) return
    sink.after = last.seq
    sink.write(fresh)
    if (last.last) finish(sink)
  }

  const finish = (sink: Sink): void => {
    sink.end()
    forget(sink)
  }

  const forget = (sink: Sink): void => {
    sinks.delete(sink)
    const channel = channels.get(sink.runId)
    if (channel === undefined) return
    channel.live.delete(sink)
    if (channel.live.size === 0 && channel.joining === 0) channels.delete(sink.runId)
  }

  const follow = async (sink: Sink, ended: boolean): Promise<void> => {
    sinks.add(sink)
    const channel = channels.get(sink.runId) ?? {
      ...{ position: 0, live: new Set<Sink>(), joining: 0, reading: false, woken: false },
    }
    channels.set(sink.runId, channel)
    channel.joining += 1
    let joined = false
    try {
      joined = await catchUp(channel, sink, ended)
    } catch (error) {
      source.onError(error)
      sink.drop()
    } finally {
      channel.joining -= 1
      if (!joined) forget(sink)
    }
    if (joined && channel.woken) void pump(sink.runId, channel)
  }

  /** True once the stream is among the live ones; false when it ended. */
  const catchUp = async (channel: Channel, sink: Sink, ended: boolean): Promise<boolean> => {
    while (true) {
      if (!(await sink.drained())) {
        sink.drop()
        return false
      }
      const events = await source.read(sink.runId, sink.after, PAGE)
      if (sink.closed()) return false
      hand(sink, events.map(toFrame))
      if (!sinks.has(sink)) return false
      if (events.length === PAGE) continue
      if (ended) {
        sink.end()
        return false
      }
      if (channel.live.size === 0 && !channel.reading) channel.position = sink.after
      // Events between this read and now went to the live streams only: read again.
      if (channel.position > sink.after) continue
      channel.live.add(sink)
      return true
    }
  }

  const comments = setInterval(() => {
    for (const sink of [...sinks]) {
      if (sink.closed()) forget(sink)
      else if (!sink.full()) sink.comment()
    }
    // A notification can be lost with its connection: look anyway, one run after the other.
    void lookAtAll().catch(source.onError)
  }, COMMENT_EVERY)
  const lookAtAll = async (): Promise<void> => {
    for (const [runId, channel] of [...channels]) {
      channel.woken = true
      await pump(runId, channel)
    }
  }

  const keys = setInterval(() => void endRevoked().catch(source.onError), KEYS_EVERY)
  const endRevoked = async (): Promise<void> => {
    const streams = Map.groupBy([...sinks], (sink) => sink.credential)
    for (const [credential, own] of streams) {
      if (await source.isValid(credential)) continue
      for (const sink of own) finish(sink)
    }
  }

  return {
    follow,
    size: () => sinks.size,
    close: async () => {
      clearInterval(comments)
      clearInterval(keys)
      for (const sink of [...sinks]) finish(sink)
      await stopListening()
    },
  }
}

const toFrame = (event: RunEvent): Frame => ({
  seq: event.seq,
  text: `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`,
  last: event.type === 'done',
})
