/** The bundled demo shop as a process of its own. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ConfigError } from './config.ts'
import { HOME } from './version.ts'

const Shop = z.object({ host: z.string(), address: z.string(), http: z.int(), https: z.int() })
const Ready = z.object({ flawed: Shop, fixed: Shop })

/** Milliseconds: it makes keys and certificates first. */
const START_TIMEOUT = 30_000
const END_GRACE = 2_000

export interface DemoShop {
  readonly host: string
  readonly address: string
  /** As it is registered: with the port where http is not on 80. */
  readonly domain: string
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
    return { host: flawed.host, address: flawed.address, domain, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** First three numbers of loopback addresses on which nobody has the usual ports: the usual ones, else others. */
const freeNetwork = async (): Promise<string> => {
  const others = Array.from({ length: 5 }, () => `127.${randomInt(1, 255)}.${randomInt(256)}`)
  for (const network of ['127.0.0', ...others]) {
    const free = [80, 443].flatMap((port) => [isFree(`${network}.9`, port), isFree(`${network}.10`, port)])
    if ((await Promise.all(free)).every(Boolean)) return network
  }
  throw new Error('No loopback address is free for the demo shop')
}

/** A port that the system reserves counts as free: the shop then takes another one. */
const isFree = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EACCES'))
    server.listen(port, address, () => server.close(() => resolve(true)))
  })
