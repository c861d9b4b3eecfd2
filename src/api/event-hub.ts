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
/** Streams written to before others of the process have their turn: ten thousand take a tenth of a second. */
const SLICE = 250
/** A revoked key ends its streams within a minute: two looks fit. */
const KEYS_EVERY = 25_000

export const createHub = async (source: HubSource): Promise<EventHub> => {
  const hub = new Hub(source)
  await hub.start()
  return {
    follow: (sink, ended) => hub.follow(sink, ended),
    size: () => hub.size(),
    close: () => hub.close(),
  }
}

class Hub {
  readonly #source: HubSource
  readonly #channels = new Map<string, Channel>()
  readonly #sinks = new Set<Sink>()
  readonly #timers: NodeJS.Timeout[] = []
  #stopListening: () => Promise<void> = async () => undefined

  constructor(source: HubSource) {
    this.#source = source
  }

  async start(): Promise<void> {
    const { listen, onError } = this.#source
    this.#stopListening = await listen((runId) => {
      for (const id of runId === null ? [...this.#channels.keys()] : [runId]) this.#wake(id)
    })
    this.#timers.push(
      setInterval(() => {
        void this.#comment().catch(onError)
        // A notification can be lost with its connection: look anyway, one run after the other.
        void this.#lookAtAll().catch(onError)
      }, COMMENT_EVERY),
      setInterval(() => void this.#endRevoked().catch(onError), KEYS_EVERY),
    )
  }

  size(): number {
    return this.#sinks.size
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    for (const sink of [...this.#sinks]) this.#finish(sink)
    await this.#stopListening()
  }

  #wake(runId: string): void {
    const channel = this.#channels.get(runId)
    if (channel === undefined) return
    channel.woken = true
    if (channel.live.size > 0) void this.#pump(runId, channel)
  }

  /** Feeds the live streams of a run until nothing new is there. */
  async #pump(runId: string, channel: Channel): Promise<void> {
    if (channel.reading) return
    channel.reading = true
    try {
      while (channel.woken && channel.live.size > 0) {
        channel.woken = false
        const events = await this.#source.read(runId, channel.position, PAGE)
        const frames = events.map(toFrame)
        channel.position = frames.at(-1)?.seq ?? channel.position
        if (events.length === PAGE) channel.woken = true
        // Who joins or leaves in between has read up to the position, or is left out.
        for await (const sink of inSlices(channel.live)) if (channel.live.has(sink)) this.#feed(channel, sink, frames)
      }
    } catch (error) {
      // The next tick tries again from the same position.
      channel.woken = true
      this.#source.onError(error)
    } finally {
      channel.reading = false
    }
  }

  #feed(channel: Channel, sink: Sink, frames: readonly Frame[]): void {
    if (sink.closed()) this.#forget(sink)
    else if (!sink.full()) this.#hand(sink, frames)
    else {
      // Reads on at its own speed; nothing is kept for it meanwhile.
      channel.live.delete(sink)
      void this.follow(sink, false)
    }
  }

  #hand(sink: Sink, frames: readonly Frame[]): void {
    // Nearly always all of them are: the same list for all streams is rendered once.
    const all = frames[0] !== undefined && frames[0].seq > sink.after
    const fresh = all ? frames : frames.filter((frame) => frame.seq > sink.after)
    const last = fresh.at(-1)
    if (last === undefined) return
    sink.after = last.seq
    sink.write(fresh)
    if (last.last) this.#finish(sink)
  }

  #finish(sink: Sink): void {
    sink.end()
    this.#forget(sink)
  }

  #forget(sink: Sink): void {
    this.#sinks.delete(sink)
    const channel = this.#channels.get(sink.runId)
    if (channel === undefined) return
    channel.live.delete(sink)
    if (channel.live.size === 0 && channel.joining === 0) this.#channels.delete(sink.runId)
  }

  async follow(sink: Sink, ended: boolean): Promise<void> {
    this.#sinks.add(sink)
    const channel = this.#channels.get(sink.runId) ?? {
      ...{ position: 0, live: new Set<Sink>(), joining: 0, reading: false, woken: false },
    }
    this.#channels.set(sink.runId, channel)
    channel.joining += 1
    let joined = false
    try {
      joined = await this.#catchUp(channel, sink, ended)
    } catch (error) {
      this.#source.onError(error)
      sink.drop()
    } finally {
      channel.joining -= 1
      if (!joined) this.#forget(sink)
    }
    if (joined && channel.woken) void this.#pump(sink.runId, channel)
  }

  /** True once the stream is among the live ones; false when it ended. */
  async #catchUp(channel: Channel, sink: Sink, ended: boolean): Promise<boolean> {
    while (true) {
      if (!(await sink.drained())) {
        sink.drop()
        return false
      }
      const events = await this.#source.read(sink.runId, sink.after, PAGE)
      if (sink.closed()) return false
      this.#hand(sink, events.map(toFrame))
      if (!this.#sinks.has(sink)) return false
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

  async #comment(): Promise<void> {
    for await (const sink of inSlices(this.#sinks)) {
      if (sink.closed()) this.#forget(sink)
      else if (this.#sinks.has(sink) && !sink.full()) sink.comment()
    }
  }

  async #lookAtAll(): Promise<void> {
    for (const [runId, channel] of [...this.#channels]) {
      channel.woken = true
      await this.#pump(runId, channel)
    }
  }

  async #endRevoked(): Promise<void> {
    const streams = Map.groupBy([...this.#sinks], (sink) => sink.credential)
    for (const [credential, own] of streams) {
      if (await this.#source.isValid(credential)) continue
      for (const sink of own) this.#finish(sink)
    }
  }
}

async function* inSlices(sinks: ReadonlySet<Sink>): AsyncGenerator<Sink> {
  let count = 0
  for (const sink of [...sinks]) {
    count += 1
    if (count % SLICE === 0) await new Promise((resolve) => setImmediate(resolve))
    yield sink
  }
}

const toFrame = (event: RunEvent): Frame => ({
  seq: event.seq,
  text: `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`,
  last: event.type === 'done',
})
