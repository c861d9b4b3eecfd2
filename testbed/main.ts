/**
 * Runs the testbed as a process of its own:
 *   node testbed/main.ts --flawed shop.test=127.0.0.9 --fixed shop-fixed.test=127.0.0.10
 * A place may end in `:HTTP:HTTPS` ports. Prints one JSON line when both shops answer, and ends with its parent.
 */
import { parseArgs } from 'node:util'
import { type ShopPlace, startTestbed } from './server.ts'

const parsePlace = (text: string): ShopPlace => {
  const found = /^([a-z0-9.-]+)=([0-9.]+)(?::(\d{1,5}):(\d{1,5}))?$/.exec(text)
  const [, host, address, http, https] = found ?? []
  if (host === undefined || address === undefined)
    throw new Error(`not a place of the form host=address[:http:https]: ${text}`)
  return http === undefined ? { host, address } : { host, address, ports: { http: Number(http), https: Number(https) } }
}

const { values } = parseArgs({
  options: {
    flawed: { type: 'string', default: 'shop.test=127.0.0.9' },
    fixed: { type: 'string', default: 'shop-fixed.test=127.0.0.10' },
  },
})
const testbed = await startTestbed({ flawed: parsePlace(values.flawed), fixed: parsePlace(values.fixed) })
const { flawed, fixed, authority } = testbed

let ending = false
const end = (): void => {
  if (ending) return
  ending = true
  testbed.close().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
}

process.once('SIGTERM', end)
process.once('SIGINT', end)
process.once('disconnect', end)
/** A process whose parent has died is given another one; no signal tells. */
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) end()
}, 500)

process.stdout.write(`${JSON.stringify({ flawed, fixed, authority })}\n`)
