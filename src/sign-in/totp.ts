/** One-time passwords by time: RFC 6238, with the truncation of RFC 4226, 5.3. */
import { createHmac } from 'node:crypto'
import type { TotpSeed } from '../contract/totp.ts'

/** The step of `seconds` since the epoch. */
export const stepOf = ({ period }: Pick<TotpSeed, 'period'>, seconds: number): number => Math.floor(seconds / period)

export const codeAt = ({ key, algorithm, digits }: TotpSeed, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac(algorithm, key).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 0x0f
  const number = mac.readUInt32BE(at) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Codes as they are asked for: a code is good for one use, so a second one waits for the next step. */
export const createCodes = (
  seed: TotpSeed,
  ports: {
    /** Milliseconds since the epoch. */
    readonly clock: () => number
    readonly sleep: (milliseconds: number) => Promise<void>
  },
): (() => Promise<string>) => {
  let last = -1
  return async () => {
    const now = (): number => stepOf(seed, ports.clock() / 1_000)
    while (now() <= last) await ports.sleep((last + 1) * seed.period * 1_000 - ports.clock())
    last = now()
    return codeAt(seed, last)
  }
}
