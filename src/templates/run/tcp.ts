/** Runs a network step: a conversation with a port of the target, bytes out and bytes in. */
import { EgressError } from '../../egress/door/egress.ts'
import { openTalk, type Talk } from '../../protocols/services/talk.ts'
import type { Value } from '../language/expression/value.ts'
import type { Operators, TcpInput, TcpStep } from '../language/template.ts'
import { answerOf, type Executor, type StepRun, StepSkipped } from './executor.ts'
import { isFinal } from './http/client.ts'
import { type HostPort, hostPortOf } from './own-host.ts'

/** Milliseconds for one answer. */
const ANSWER_WAIT = 3_000
const MOST_BYTES = 64 * 1024

interface Peer extends HostPort {
  readonly secure: boolean
}

export const runTcp: Executor<TcpStep> = async (step, run) => {
  let matched = false
  let failure: unknown = null
  let reached = 0
  for (const peer of peersOf(step, run)) {
    run.signal.throwIfAborted()
    try {
      if (await converse(step, run, peer)) matched = true
      reached += 1
    } catch (error) {
      // A port that is closed says nothing about the next one.
      if (!(error instanceof EgressError) || isFinal(error)) throw error
      failure = error
    }
    if (matched && (step.stopAtFirstMatch || run.template.stopAtFirstMatch)) break
  }
  if (reached === 0 && failure !== null) throw failure
  return matched
}

const peersOf = (step: TcpStep, run: StepRun): readonly Peer[] => {
  const peers = step.hosts.flatMap((written) => {
    const secure = /^tls:\/\//i.test(written)
    const address = run.fill(written.replace(/^\w+:\/\//, ''))
    const { host, port } = hostPortOf(run, address)
    // The ports of a template stand in for that of the target, not for one that it writes behind the name itself.
    const ports = step.ports.length > 0 && port === run.target.port ? step.ports : [port]
    return ports.map((one) => ({ host, port: one, secure }))
  })
  return [...new Map(peers.map((peer) => [`${peer.secure} ${peer.port}`, peer])).values()]
}

const converse = async (step: TcpStep, run: StepRun, peer: Peer): Promise<boolean> => {
  let matched = false
  for (const combination of run.combinations(step.payloads, step.attack)) {
    run.signal.throwIfAborted()
    const extra = (name: string): Value | undefined => combination.get(name)
    const talk = await openTalk(run.egress, peer)
    try {
      if (await exchange(step, run, peer, talk, extra)) matched = true
    } finally {
      talk.end()
    }
    if (matched && (step.stopAtFirstMatch || run.template.stopAtFirstMatch)) break
  }
  return matched
}

const exchange = async (
  step: TcpStep,
  run: StepRun,
  peer: Peer,
  talk: Talk,
  extra: (name: string) => Value | undefined,
): Promise<boolean> => {
  const reader = createReader(talk)
  const parts: Record<string, string> = {}
  const sent: string[] = []
  let hasRead = false
  for (const input of step.inputs) {
    let data: string
    try {
      data = dataOf(input, run, extra)
    } catch (error) {
      // What an answer was to hold and does not: this is not the service that is meant.
      if (error instanceof StepSkipped && error.kind === 'value' && hasRead) return false
      throw error
    }
    sent.push(data)
    if (data !== '') talk.send(data)
    if (input.read <= 0) continue
    const read = await reader.read(input.read)
    hasRead = true
    if (input.name === null) continue
    parts[input.name] = read
    // What this answer holds may go into the next message.
    keepInternal(step.operators, input.name, parts, run)
  }
  const data = step.readAll ? await reader.read(MOST_BYTES) : await reader.read(step.readSize)
  const request = sent.join('')
  const values = { ...parts, data, raw: reader.all(), request, host: peer.host, matched: `${peer.host}:${peer.port}` }
  const seen = answerOf({ ...values, port: String(peer.port), type: 'network' }, run.text, {
    body: 'data',
    all: 'data',
    response: 'data',
  })
  const shown = { at: { host: peer.host, port: peer.port }, request, response: reader.all() }
  return run.judge(step.operators, seen, shown, extra).matched
}

/** @throws StepSkipped where what stands there is no hexadecimal */
const dataOf = (input: TcpInput, run: StepRun, extra: (name: string) => Value | undefined): string => {
  const text = run.fill(input.data, extra)
  if (!input.hex) return text
  const digits = text.replace(/\s+/g, '')
  if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits))
    throw new StepSkipped('its data are no hexadecimal bytes', 'defect')
  return Buffer.from(digits, 'hex').toString('latin1')
}

const keepInternal = (
  operators: Operators,
  part: string,
  parts: Readonly<Record<string, string>>,
  run: StepRun,
): void => {
  const extractors = operators.extractors.filter((one) => one.internal && one.part === part)
  if (extractors.length === 0) return
  const shown = { at: {}, request: '', response: '' }
  run.judge({ condition: 'or', matchers: [], extractors }, answerOf(parts, run.text), shown)
}

interface Reader {
  /** At most so many bytes; as many as came before the peer fell silent. */
  readonly read: (most: number) => Promise<string>
  readonly all: () => string
}

const createReader = (talk: Talk): Reader => {
  let left = ''
  let all = ''
  return {
    read: async (most) => {
      if (left.length < most) left += (await talk.read(undefined, ANSWER_WAIT)).toString('latin1')
      const bytes = left.slice(0, most)
      left = left.slice(most)
      all += bytes
      return bytes
    },
    all: () => all,
  }
}
