/**
 * JARM: a fingerprint of a TLS server by its answers to ten hellos (the algorithm is public: Salesforce, 2020, version 1).
 * Offers, their order and what is read of the answers are the algorithm's, oddities included, or the value would be
 * nobody else's: "spdy/3" and "h2" move as one, and only the version field of the hello counts.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Egress, EgressError } from '../../egress/door/egress.ts'
import { openTalk } from '../../protocols/services/talk.ts'
import { u8, u16, u16s, vector } from '../../protocols/tls/wire/bytes.ts'
import { HANDSHAKE, handshake, RECORD, record, VERSION } from '../../protocols/tls/wire/record.ts'
import { isFinal } from './http/client.ts'

type Order = 'forward' | 'reverse' | 'top' | 'bottom' | 'middle'

interface Offer {
  readonly version: number
  /** Suites of TLS 1.3 among the others. */
  readonly modern: boolean
  readonly order: Order
  readonly grease: boolean
  readonly rareProtocols: boolean
  /** The newest version of supported_versions; null leaves the extension out. */
  readonly newest: number | null
  readonly reversed: boolean
}

const offer = (
  version: number,
  order: Order,
  newest: number | null,
  reversed: boolean,
  more: Partial<Offer> = {},
): Offer => ({ version, order, newest, reversed, modern: true, grease: false, rareProtocols: false, ...more })

const { tls11, tls12, tls13 } = VERSION
const OFFERS: readonly Offer[] = [
  offer(tls12, 'forward', tls12, true),
  offer(tls12, 'reverse', tls12, false),
  offer(tls12, 'top', null, false),
  offer(tls12, 'bottom', null, false, { rareProtocols: true }),
  offer(tls12, 'middle', null, true, { rareProtocols: true, grease: true }),
  offer(tls11, 'forward', null, false),
  offer(tls13, 'forward', tls13, true),
  offer(tls13, 'reverse', tls13, false),
  offer(tls13, 'forward', tls13, false, { modern: false }),
  offer(tls13, 'middle', tls13, true, { grease: true }),
]

const codes = (text: string): readonly number[] => text.split(' ').map((code) => Number.parseInt(code, 16))

const SUITES = codes(
  '0016 0033 0067 c09e c0a2 009e 0039 006b c09f c0a3 009f 0045 00be 0088 00c4 009a c008 c009 c023 c0ac c0ae c02b c00a ' +
    'c024 c0ad c0af c02c c072 c073 cca9 1302 1301 cc14 c007 c012 c013 c027 c02f c014 c028 c030 c060 c061 c076 c077 cca8 ' +
    '1305 1304 1303 cc13 c011 000a 002f 003c c09c c0a0 009c 0035 003d c09d c0a1 009d 0041 00ba 0084 00c0 0007 0004 0005',
)
/** A suite is named by its place in the order of codes, those of TLS 1.3 last. */
const PLACES = SUITES.toSorted((a, b) => Number(isModern(a)) - Number(isModern(b)) || a - b)

function isModern(suite: number): boolean {
  return suite >> 8 === 0x13
}

const PROTOCOLS = [['http/0.9'], ['http/1.0'], ['http/1.1'], ['spdy/1'], ['spdy/2'], ['spdy/3', 'h2'], ['h2c'], ['hq']]
const RARE_PROTOCOLS = [['http/0.9'], ['http/1.0'], ['spdy/1'], ['spdy/2'], ['spdy/3'], ['h2c'], ['hq']]

const ordered = <Item>(items: readonly Item[], order: Order): readonly Item[] => {
  const half = Math.floor(items.length / 2)
  const odd = items.length % 2
  switch (order) {
    case 'forward':
      return items
    case 'reverse':
      return items.toReversed()
    case 'bottom':
      return items.slice(half + odd)
    case 'top':
      return items.slice(0, half + odd).toReversed()
    case 'middle': {
      const pairs = Array.from({ length: half }, (_, index) =>
        odd === 1 ? [half + index + 1, half - index - 1] : [half + index, half - index - 1],
      ).flat()
      return [...(odd === 1 ? [half] : []), ...pairs].flatMap((at) => items[at] ?? [])
    }
  }
}

const grease = (): number => 0x0a0a + 0x1010 * randomInt(16)
const extension = (type: number, ...body: readonly Buffer[]): Buffer => Buffer.concat([u16(type), vector(2, ...body)])

const helloOf = (wanted: Offer, host: string): Buffer => {
  const suites = ordered(
    SUITES.filter((suite) => wanted.modern || !isModern(suite)),
    wanted.order,
  )
  const body = Buffer.concat([
    u16(Math.min(wanted.version, tls12)),
    randomBytes(32),
    vector(1, randomBytes(32)),
    vector(2, u16s(wanted.grease ? [grease(), ...suites] : suites)),
    vector(1, u8(0)),
    vector(2, ...extensionsOf(wanted, host)),
  ])
  const version = wanted.version === tls13 ? VERSION.tls10 : wanted.version
  return record(RECORD.handshake, version, handshake(HANDSHAKE.clientHello, body))
}

const extensionsOf = (wanted: Offer, host: string): readonly Buffer[] => {
  const { reversed, newest } = wanted
  const direction = reversed ? 'reverse' : 'forward'
  const protocols = ordered(wanted.rareProtocols ? RARE_PROTOCOLS : PROTOCOLS, direction).flat()
  const share = Buffer.concat([u16(0x001d), vector(2, randomBytes(32))])
  const versions = ordered(
    [VERSION.tls10, tls11, tls12, tls13].filter((version) => version <= (newest ?? 0)),
    direction,
  )
  return [
    ...(wanted.grease ? [extension(grease())] : []),
    extension(0, vector(2, u8(0), vector(2, Buffer.from(host, 'latin1')))),
    extension(23),
    extension(1, u8(1)),
    extension(0xff01, u8(0)),
    extension(10, vector(2, u16s([0x001d, 0x0017, 0x0018, 0x0019]))),
    extension(11, vector(1, u8(0))),
    extension(35),
    extension(16, vector(2, ...protocols.map((name) => vector(1, Buffer.from(name))))),
    extension(13, vector(2, u16s([0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601, 0x0201]))),
    extension(51, vector(2, ...(wanted.grease ? [u16(grease()), vector(2, u8(0))] : []), share)),
    extension(45, vector(1, u8(1))),
    ...(newest === null ? [] : [extension(43, vector(1, u16s(wanted.grease ? [grease(), ...versions] : versions)))]),
  ]
}

interface Answer {
  readonly suite: string
  readonly version: string
  readonly protocol: string
  readonly extensions: string
}

const NOTHING: Answer = { suite: '', version: '', protocol: '', extensions: '' }
/** As much of an answer as the algorithm reads. */
const MOST_READ = 1_484

/** Exported for tests. */
export const readAnswer = (bytes: Buffer): Answer => {
  const data = bytes.subarray(0, MOST_READ)
  if (data[0] !== RECORD.handshake || data[5] !== HANDSHAKE.serverHello || data.length < 44) return NOTHING
  const after = (data[43] ?? 0) + 44
  if (data.length < after + 5) return NOTHING
  const found = { suite: data.toString('hex', after, after + 2), version: data.toString('hex', 9, 11) }
  // A certificate directly behind the hello: there are no extensions.
  if (data[after + 3] === HANDSHAKE.certificate) return { ...NOTHING, ...found }
  if (data.toString('hex', after + 6, after + 9) === '0eac0b' || data.toString('hex', 82, 85) === '0ff00b') {
    return { ...NOTHING, ...found }
  }
  const types: string[] = []
  let protocol = ''
  const end = after + 5 + data.readUInt16BE(after + 3) - 1
  for (let at = after + 5; at < end; ) {
    // What runs beyond the bytes that were read is no answer at all.
    if (at + 4 > data.length) return NOTHING
    const type = data.readUInt16BE(at)
    const size = data.readUInt16BE(at + 2)
    types.push(data.toString('hex', at, at + 2))
    if (type === 16 && protocol === '') protocol = data.toString('latin1', at + 7, at + 4 + size)
    at += 4 + size
  }
  return { ...found, protocol, extensions: types.join('-') }
}

/** 62 hexadecimal digits; zeros where no hello was answered. */
export const jarmOfAnswers = (answers: readonly Answer[]): string => {
  if (answers.every(({ suite, version }) => suite === '' && version === '')) return '0'.repeat(62)
  const fuzzy = answers.map(({ suite, version }) => placeOf(suite) + letterOf(version)).join('')
  const rest = answers.map(({ protocol, extensions }) => protocol + extensions).join('')
  return fuzzy + createHash('sha256').update(rest, 'latin1').digest('hex').slice(0, 32)
}

const placeOf = (suite: string): string => {
  if (suite === '') return '00'
  const at = PLACES.indexOf(Number.parseInt(suite, 16))
  return (at < 0 ? PLACES.length + 1 : at + 1).toString(16).padStart(2, '0')
}
const letterOf = (version: string): string => (version === '' ? '0' : ('abcdef'[Number(version[3])] ?? '0'))

const PATIENCE = 4_000
/** Milliseconds for all ten. */
const ALL = 20_000

/** @throws EgressError where the port cannot be reached */
export const jarmOf = async (
  egress: Pick<Egress, 'connect'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> => {
  const until = performance.now() + ALL
  const answers: Answer[] = []
  for (const wanted of OFFERS) {
    if (performance.now() > until) answers.push(NOTHING)
    else answers.push(await answerTo(wanted, egress, host, port, answers.length === 0))
  }
  return jarmOfAnswers(answers)
}

const answerTo = async (
  wanted: Offer,
  egress: Pick<Egress, 'connect'>,
  host: string,
  port: number,
  first: boolean,
): Promise<Answer> => {
  try {
    const talk = await openTalk(egress, { host, port, secure: false, patience: PATIENCE })
    try {
      talk.send(helloOf(wanted, host))
      return readAnswer(await talk.read(isEnough, PATIENCE))
    } finally {
      talk.end()
    }
  } catch (error) {
    // A server may hang up on one hello; one that is never there has no fingerprint.
    if (first || isFinal(error) || !(error instanceof EgressError)) throw error
    return NOTHING
  }
}

const isEnough = (bytes: Buffer): boolean =>
  bytes.length >= MOST_READ || (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt16BE(3))
