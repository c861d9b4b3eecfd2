import { verify as verifyBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import fc from '../../tests/support/properties.ts'
import { openEnvelope, parseFingerprint, seal } from './envelope.ts'
import { readStatement, SIGNATURE_FILE } from './statement.ts'
import {
  auditLog,
  type FileSet,
  given,
  newSigner,
  OTHER_RUN,
  RUN,
  sampleSet,
  signatureOf,
} from './testing/sample-set.ts'
import { type Verdict, verifyFiles } from './verify.ts'

const signer = newSigner()
const set = sampleSet(signer)
const KEYS = [signer.fingerprint]
const bytesOf = (name: string, of: FileSet = set): Buffer => of.get(name) ?? Buffer.alloc(0)

const check = (files: Iterable<readonly [string, Buffer]>, keys: readonly string[] = KEYS): Verdict =>
  verifyFiles(given(files), keys)
const without = (...names: readonly string[]) => [...set].filter(([name]) => !names.includes(name))
const stateOf = ({ files }: Verdict, path: string) => files.find((file) => file.path === path)
/** Paths that are not in order. */
const named = ({ files }: Verdict): string[] =>
  files.filter(({ state }) => state !== 'intact' && state !== 'signature').map(({ path }) => path)
const flipped = (bytes: Buffer, at: number, by: number): Buffer => {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ by
  return changed
}

describe('a whole set', () => {
  test('is verified by the expected key, and of an unknown signer without one', () => {
    expect(check(set)).toMatchObject({ outcome: 'verified', sets: [{ run_id: RUN, version: 1, missing: [] }] })
    expect(check(set, [])).toMatchObject({ outcome: 'unknown_signer', sets: [{ fingerprint: signer.fingerprint }] })
    expect(named(check(set))).toEqual([])
  })

  test('does not hang on names, folders or the pieces it was read in', () => {
    const renamed = [...set].map(
      ([name, bytes], index) => [`down/loads/${index}-${name.replace('/', '-')}`, bytes] as const,
    )
    expect(check(renamed).outcome).toBe('verified')
    for (const piece of [65, 200, 1000]) expect(verifyFiles(given(set, piece), KEYS).outcome).toBe('verified')
  })

  test('what lies in others may be absent; what else is, is named', () => {
    expect(check(without('report.tex', 'evidence/answer.txt', 'evidence/again.txt')).outcome).toBe('verified')
    expect(check(without('evidence.zip')).outcome).toBe('verified')
    // Two files of the same bytes are there with one of them.
    expect(check(without('evidence.zip', 'evidence/again.txt')).outcome).toBe('verified')
    const less = check(without('audit-log.jsonl', 'evidence.zip', 'evidence/answer.txt', 'evidence/again.txt'))
    expect(less).toMatchObject({ outcome: 'incomplete', sets: [{ missing: ['audit-log.jsonl', 'evidence.zip'] }] })
    expect(check(without(SIGNATURE_FILE))).toMatchObject({ outcome: 'no_signature', sets: [] })
  })

  test('a file that was never signed is foreign', () => {
    const verdict = check([...set, ['notes.txt', Buffer.from('mine')]])
    expect(verdict.outcome).toBe('altered')
    expect(stateOf(verdict, 'notes.txt')).toMatchObject({ state: 'foreign', reason: 'no signature names such a file' })
  })
})

/** Of single bytes; with SONDE_LONG=1 they take half a minute. */
const CHANGES = process.env.SONDE_LONG ? 10_000 : 1_000

describe('altered by one byte', () => {
  test(`${CHANGES} times, wherever it is: caught each time, with the right name`, { timeout: 600_000 }, () => {
    const files = [...set].filter(([, bytes]) => bytes.length > 0)
    const whole = new Map(given(set).map((file) => [file.path, file]))
    let seed = 20261125
    const below = (limit: number): number => {
      // A linear congruence (Numerical Recipes): the same changes on every machine.
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      return Math.floor((seed / 2 ** 32) * limit)
    }
    const escaped: string[] = []
    for (let round = 0; round < CHANGES; round += 1) {
      const [name = '', bytes = Buffer.alloc(0)] = files[round % files.length] ?? []
      const at = below(bytes.length)
      const changed = given([[name, flipped(bytes, at, 1 + below(255))]])
      const verdict = verifyFiles([...[...whole.values()].filter(({ path }) => path !== name), ...changed], KEYS)
      // Without its signature nothing can be said of the others.
      const wrong = verdict.files
        .filter(({ state }) => state === 'altered' || state === 'foreign')
        .map(({ path }) => path)
      if (verdict.outcome !== 'altered' || wrong.join() !== name)
        escaped.push(`${name} at ${at}: ${verdict.outcome} ${wrong}`)
    }
    expect(escaped).toEqual([])
  })

  test('cut short, made longer, emptied', () => {
    fc.assert(
      fc.property(fc.constantFrom(...set.keys()), fc.nat(3000), fc.uint8Array({ maxLength: 20 }), (name, end, more) => {
        const changed = Buffer.concat([bytesOf(name).subarray(0, end), more])
        fc.pre(!changed.equals(bytesOf(name)))
        const verdict = check([...without(name), [name, changed]])
        expect([verdict.outcome, stateOf(verdict, name)?.state]).toEqual(['altered', 'altered'])
      }),
    )
  })

  test('every signature file of other bytes than its signer wrote: spaces, order, base64 that decodes alike', () => {
    const text = bytesOf(SIGNATURE_FILE).toString()
    const parsed = JSON.parse(text)
    const loose = text.replace(/([A-Za-z0-9+/])(=+)"/, (_, last: string, pad: string) => {
      const next = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
      return `${next[next.indexOf(last) + 1] ?? 'A'}${pad}"`
    })
    const all = [
      ` ${text}`,
      `${text}\n`,
      JSON.stringify(parsed),
      `${JSON.stringify({ ...parsed, more: 1 }, null, 2)}\n`,
      loose,
    ]
    for (const one of all) {
      expect(one).not.toBe(text)
      expect(check([...without(SIGNATURE_FILE), [SIGNATURE_FILE, Buffer.from(one)]]).outcome).toBe('altered')
    }
  })

  test('an envelope around something else, or whose key is none, holds nothing', () => {
    for (const payload of ['[]', '{}', 'x', JSON.stringify({ _type: 'https://in-toto.io/Statement/v1', subject: [] })])
      expect(check([[SIGNATURE_FILE, seal(Buffer.from(payload), signer)]]).outcome).toBe('altered')
    const lies = { ...signer, publicKey: Buffer.from('no key') }
    expect(check([[SIGNATURE_FILE, signatureOf(set, lies)]]).outcome).toBe('altered')
  })
})

describe('taken from elsewhere', () => {
  const second = sampleSet(signer, { version: 2 })
  const other = sampleSet(signer, { runId: OTHER_RUN })

  test.each([
    ['findings of another run', 'findings.json', other, `it says that it is of run ${OTHER_RUN}, version 1`],
    ['findings of another version', 'findings.json', second, `it says that it is of run ${RUN}, version 2`],
    ['a page of another version', 'report.html', second, `it says that it is of run ${RUN}, version 2`],
  ] as const)('%s', (_, name, from, reason) => {
    const verdict = check([...without(name), [name, bytesOf(name, from)]])
    expect(verdict.outcome).toBe('altered')
    expect(stateOf(verdict, name)).toMatchObject({ state: 'foreign', reason })
  })

  test('what says nothing of itself is told all the same', () => {
    const verdict = check([...without('report.pdf'), ['report.pdf', bytesOf('report.pdf', other)]])
    expect(stateOf(verdict, 'report.pdf')?.reason).toMatch(/of another run or version/)
  })

  test('a signature of another version leaves no file of this one', () => {
    const verdict = check([...without(SIGNATURE_FILE), [SIGNATURE_FILE, bytesOf(SIGNATURE_FILE, second)]])
    expect(verdict.outcome).toBe('altered')
    expect(named(verdict)).toEqual(expect.arrayContaining(['findings.json', 'report.pdf', 'report.html', 'report.md']))
  })

  test('two versions beside one another are two sets, each with what it lacks', () => {
    const both = [...set, ...[...second].map(([name, bytes]) => [`2/${name}`, bytes] as const)]
    expect(check(both)).toMatchObject({ outcome: 'verified', sets: [{ version: 1 }, { version: 2 }] })
    const mixed = [
      ...set,
      [`2/${SIGNATURE_FILE}`, bytesOf(SIGNATURE_FILE, second)],
      ['2/report.pdf', bytesOf('report.pdf', second)],
    ] as const
    const verdict = check(mixed)
    expect(verdict.outcome).toBe('incomplete')
    expect(verdict.sets.map(({ missing }) => missing)).toEqual([[], ['findings.json', 'report.html', 'report.md']])
  })
})

describe('signed anew', () => {
  const forger = newSigner()
  const forged = new Map([...set, ['findings.json', Buffer.from('{"findings": []}\n')]] as const)
  const files = [...forged].filter(([name]) => name !== SIGNATURE_FILE)
  const anew = [...files, [SIGNATURE_FILE, signatureOf(new Map(files), forger)]] as const

  test('by another key: told with the expected key, and never called verified without it', () => {
    expect(check(anew)).toMatchObject({
      outcome: 'other_signer',
      sets: [{ fingerprint: forger.fingerprint, expected: false }],
    })
    expect(check(anew, [])).toMatchObject({ outcome: 'unknown_signer', sets: [{ fingerprint: forger.fingerprint }] })
    expect(check(anew, [forger.fingerprint, ...KEYS]).outcome).toBe('verified')
  })

  test('with the name of the right key on it', () => {
    const lying = { ...forger, publicKey: signer.publicKey, fingerprint: signer.fingerprint }
    expect(check([...files, [SIGNATURE_FILE, signatureOf(new Map(files), lying)]]).outcome).toBe('altered')
  })
})

describe('the audit log', () => {
  const lines = auditLog(12).toString().trimEnd().split('\n')
  const verdictOf = (texts: readonly string[]) =>
    stateOf(
      check([
        ...without('audit-log.jsonl'),
        ['audit-log.jsonl', Buffer.from(texts.map((each) => `${each}\n`).join(''))],
      ]),
      'audit-log.jsonl',
    )

  test.each([
    ['a line changed', lines.with(4, lines[4]?.replace('site', 'tile') ?? ''), 6, /hash of line 5/],
    ['a line taken out', lines.toSpliced(4, 1), 5, /says that it is line 6/],
    ['a line put in', lines.toSpliced(4, 0, lines[4] ?? ''), 6, /says that it is line 5/],
    ['two exchanged', lines.with(4, lines[5] ?? '').with(5, lines[4] ?? ''), 5, /says that it is line 6/],
    ['its beginning taken away', lines.slice(1), 1, /line 2/],
    ['a line that is none', lines.with(7, 'null'), 8, /no line of an audit log/],
  ])('%s: the first broken line is named', (_, texts, line, why) => {
    const verdict = verdictOf(texts)
    expect(verdict).toMatchObject({ state: 'altered', chain: { broken: { line } } })
    expect(verdict?.chain?.broken?.why).toMatch(why)
    expect(verdict?.reason).toContain(`line ${line}`)
  })

  test('its end taken away breaks no link, and the signature tells it', () => {
    expect(verdictOf(lines.slice(0, -1))).toMatchObject({ state: 'altered', chain: { lines: 11, broken: null } })
  })

  test('a broken chain is told even where it was signed so', () => {
    const broken = new Map([...without(SIGNATURE_FILE), ['audit-log.jsonl', Buffer.from(`${lines[1]}\n`)]] as const)
    const verdict = check([...broken, [SIGNATURE_FILE, signatureOf(broken, signer)]])
    expect(verdict.outcome).toBe('altered')
    expect(stateOf(verdict, 'audit-log.jsonl')?.reason).toMatch(/chain breaks at line 1/)
  })

  test('whatever bytes it has, in whatever pieces, it is read to an end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 50 }), (bytes, piece) => {
        const [file] = given([['audit-log.jsonl', Buffer.from(bytes)]], piece)
        const [whole] = given([['audit-log.jsonl', Buffer.from(bytes)]])
        expect(file?.chain).toEqual(whole?.chain)
        expect(file?.sha256).toBe(whole?.sha256)
      }),
    )
  })
})

test('a stranger checks it with what RFC 8032 and DSSE say alone', () => {
  const { payload, payloadType, signatures } = JSON.parse(bytesOf(SIGNATURE_FILE).toString())
  const body = Buffer.from(payload, 'base64')
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `), body])
  const key = { key: signer.publicKey, format: 'der', type: 'spki' } as const
  expect(verifyBytes(null, message, key, Buffer.from(signatures[0].sig, 'base64'))).toBe(true)
  const envelope = openEnvelope(bytesOf(SIGNATURE_FILE))
  if (!envelope) throw new Error('not an envelope')
  expect(readStatement(envelope)).toMatchObject({ runId: RUN, version: 1, target: 'shop.test' })
})

test.each([
  ['as it is', KEYS[0], KEYS[0]],
  [
    'in groups, upper case, with the name of the hash',
    `SHA256:${KEYS[0]?.toUpperCase().replace(/(.{2})(?=.)/g, '$1:')}`,
    KEYS[0],
  ],
  ['too short', KEYS[0]?.slice(1), null],
  ['words', 'the key of the shop', null],
])('a fingerprint %s', (_, text, expected) => {
  expect(parseFingerprint(text ?? '')).toBe(expected)
})
