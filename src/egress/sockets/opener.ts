/**
 * The cheapest TCP connect that this runtime has, for sweeps of tens of thousands of ports: a handle of libuv without
 * the stream that net.Socket puts on top (docs/decisions/0085). Where the runtime no longer offers it, node:net does.
 */
import { connect, isIP, type Socket } from 'node:net'

/** What became of one attempt. `local` says that this machine ran out of ports, descriptors or buffers. */
export type Opened = 'open' | 'closed' | 'unreachable' | 'local'

export interface Attempt {
  /** Gives the attempt up; `done` is not called any more. */
  readonly drop: () => void
}

/** Starts one connect; `done` is called once, never before `open` has returned, and the socket is closed by then. */
export type Opener = (address: string, port: number, done: (what: Opened) => void) => Attempt

interface Handle {
  readonly close: () => void
  readonly connect: (request: object, address: string, port: number) => number
  readonly connect6: (request: object, address: string, port: number) => number
}

interface Binding {
  readonly TCP: new (kind: number) => Handle
  readonly TCPConnectWrap: new () => { oncomplete: (status: number) => void }
  readonly constants: { readonly SOCKET: number }
}

/** Null where the runtime has no such binding. */
export const handleOpener = (binding: unknown = loadBinding()): Opener | null => {
  if (!isBinding(binding)) return null
  const { TCP, TCPConnectWrap, constants } = binding
  let known = ''
  let isSix = false
  return (address, port, done) => {
    // A sweep has one address for tens of thousands of ports: its family is looked at once.
    if (address !== known) {
      known = address
      isSix = isIP(address) === 6
    }
    let handle: Handle
    try {
      handle = new TCP(constants.SOCKET)
    } catch {
      return outOfHandles(done)
    }
    const request = new TCPConnectWrap()
    let over = false
    const end = (): boolean => {
      if (over) return false
      over = true
      handle.close()
      return true
    }
    request.oncomplete = (status) => {
      if (end()) done(outcomeOf(status))
    }
    const refused = isSix ? handle.connect6(request, address, port) : handle.connect(request, address, port)
    // The kernel may say no at once, before there is anything to wait for.
    if (refused !== 0) {
      setImmediate(() => {
        if (end()) done(outcomeOf(refused))
      })
    }
    return { drop: end }
  }
}

export const socketOpener: Opener = (address, port, done) => {
  let socket: Socket
  try {
    socket = connect({ host: address, port, autoSelectFamily: false })
  } catch {
    return outOfHandles(done)
  }
  let over = false
  const end = (): boolean => {
    if (over) return false
    over = true
    socket.destroy()
    return true
  }
  socket.once('connect', () => {
    if (end()) done('open')
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (end()) done(outcomeOf(error.errno ?? 0))
  })
  return { drop: end }
}

/** What cannot even be made throws: this machine has nothing left, and the sweep waits for it. */
const outOfHandles = (done: (what: Opened) => void): Attempt => {
  const later = setImmediate(() => done('local'))
  return { drop: () => clearImmediate(later) }
}

export const fastestOpener = (): Opener => handleOpener() ?? socketOpener

/** Error numbers of Linux, negative as libuv gives them. */
const CLOSED: ReadonlySet<number> = new Set([-111, -104])
const EXHAUSTED: ReadonlySet<number> = new Set([-23, -24, -12, -99, -105])

const outcomeOf = (status: number): Opened => {
  if (status === 0) return 'open'
  if (CLOSED.has(status)) return 'closed'
  return EXHAUSTED.has(status) ? 'local' : 'unreachable'
}

const loadBinding = (): unknown => {
  try {
    return (process as unknown as { binding: (name: string) => unknown }).binding('tcp_wrap')
  } catch {
    return null // Removed, or switched off by policy: the public way works, only slower.
  }
}

const isBinding = (value: unknown): value is Binding =>
  typeof value === 'object' &&
  value !== null &&
  'TCP' in value &&
  typeof value.TCP === 'function' &&
  'TCPConnectWrap' in value &&
  typeof value.TCPConnectWrap === 'function' &&
  'constants' in value
