/** The bundled demo shop as a process of its own. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { EgressError } from '../egress/door/egress.ts'
import { dial } from '../egress/sockets/tcp.ts'
import { ConfigError } from './config.ts'
import { HOME } from './version.ts'

const Shop = z.object({ host: z.string(), address: z.string(), http: z.int(), https: z.int() })
const Ready = z.object({ flawed: Shop, fixed: Shop })

/** Milliseconds: it makes keys and certificates first. */
const START_TIMEOUT = 30_000
const END_GRACE = 2_000
const ANSWER_TIMEOUT = 2_000

export interface DemoShop {
  readonly host: string
  readonly address: string
  /** As it is registered: with the port where http is not on 80. */
  readonly domain: string
  /** Its own: what else answers at its address is somebody else's. */
  readonly ports: readonly number[]
  readonly stop: () => Promise<void>
}

export const startDemoShop = async (): Promise<DemoShop> => {
  const script = fileURLToPath(new URL('testbed/main.ts', HOME))
  // Nobody wants an application full of holes on a server.
  if (!existsSync(script))
    throw new ConfigError('The demo shop is part of the sources alone, not of an installed package')
  const network = await freeNetwork()
  const places = [`--flawed=shop.test=${network}.9`, `--fixed=shop-fixed.test=${network}.10`]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...places], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const hard = setTimeout(() => child.kill('SIGKILL'), END_GRACE)
    await ended
    clearTimeout(hard)
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT)
  try {
    const lines = createInterface({ input: child.stdout })
    const line = await Promise.race([
      once(lines, 'line').then(([text]: string[]) => text ?? ''),
      ended.then(([code, signal]) => Promise.reject(new Error(`The demo shop ended early (${code ?? signal})`))),
    ])
    const { flawed } = Ready.parse(JSON.parse(line))
    const domain = flawed.http === 80 ? flawed.host : `${flawed.host}:${flawed.http}`
    return { host: flawed.host, address: flawed.address, domain, ports: [flawed.http, flawed.https], stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * First three numbers of loopback addresses on which nobody has the usual ports: the usual ones, else others. Whatever listened
 * there would be scanned as the shop is.
 */
export const freeNetwork = async (candidates = ['127.0.0', ...drawn()]): Promise<string> => {
  for (const network of candidates) {
    const free = [80, 443].flatMap((port) => [isFree(`${network}.9`, port), isFree(`${network}.10`, port)])
    if ((await Promise.all(free)).every(Boolean)) return network
  }
  throw new ConfigError(
    'A server on this machine has port 80 or 443 at every address, and the demo would scan it along with its shop. Stop it meanwhile, or scan a site of yours: "sonde serve"',
  )
}

const drawn = (): string[] => Array.from({ length: 5 }, () => `127.${randomInt(1, 255)}.${randomInt(256)}`)

/** A port that the system reserves is free where nobody answers: the shop then takes another one. */
const isFree = async (address: string, port: number): Promise<boolean> => {
  const failure = await new Promise<string | null>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, address, () => server.close(() => resolve(null)))
  })
  return failure === null || (failure === 'EACCES' && !(await answers(address, port)))
}

const answers = async (address: string, port: number): Promise<boolean> => {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT)
  try {
    const socket = await dial({ address, port, signal })
    socket.destroy()
    return true
  } catch (error) {
    if (error instanceof EgressError || signal.aborted) return false
    throw error
  }
}
