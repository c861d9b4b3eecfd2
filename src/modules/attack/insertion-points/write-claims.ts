/** What a place that has shown something needs of its form's writes until it is proven: others leave it that, and wait for what is left over. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ProbeRequest } from './inventory.ts'
import type { Pursues } from './writes.ts'

/** As many as prove anything that is asked by conditions or by waits. */
const OF_A_PROOF = 12
/** Milliseconds without a request after which a proof is taken to be over: as long as an answer may take, and the longest wait that is asked for. */
const IDLE = 13_000

export interface Claim {
  /** Of those writes, so many are still to come. */
  left: number
  /** By performance.now(): over by then, unless another of its requests is sent. */
  until: number
  readonly over: PromiseWithResolvers<void>
}

/** What was sent at one place so far, and for what. */
export interface Pursuit {
  count: number
  pursues: Pursues
  /** Once something has shown, of what may be sent a few times only. */
  claim?: Claim
}

export const pursue = (pursuit: Pursuit, { bound }: ProbeRequest, by: Pursues = true): void => {
  pursuit.pursues = pursuit.pursues === true || by
  if (pursuit.pursues === true && bound !== undefined)
    pursuit.claim ??= { left: OF_A_PROOF, until: 0, over: Promise.withResolvers() }
}

/** It is proven, or is not. */
export const endPursuit = (pursuit: Pursuit): void => {
  if (!pursuit.claim) return
  pursuit.claim.left = 0
  pursuit.claim.over.resolve()
  delete pursuit.claim
}

/** One of its requests is sent. */
export const takeOfClaim = (claims: Claim[], claim: Claim): void => {
  if (claim.left === 0) return
  if (!claims.includes(claim)) claims.push(claim)
  claim.left -= 1
  claim.until = performance.now() + IDLE
  if (claim.left === 0) claim.over.resolve()
}

/** Those that come before the own one: whoever showed something first is proven first. */
const before = (claims: readonly Claim[], own: Claim | undefined): readonly Claim[] => {
  const at = own === undefined ? -1 : claims.indexOf(own)
  const others = at < 0 ? claims : claims.slice(0, at)
  return others.filter(({ left, until }) => left > 0 && performance.now() < until)
}

/** So many writes are promised to proofs of others. */
export const claimedBy = (claims: readonly Claim[], own: Claim | undefined): number =>
  before(claims, own).reduce((all, { left }) => all + left, 0)

/** Ends when those proofs have. */
export const claimsOver = async (claims: readonly Claim[], own: Claim | undefined): Promise<void> => {
  for (let [first] = before(claims, own); first !== undefined; [first] = before(claims, own)) {
    const called = new AbortController()
    const idle = delay(first.until - performance.now(), undefined, { ref: false, signal: called.signal })
    await Promise.race([first.over.promise, idle.catch(() => undefined)])
    called.abort()
  }
}
