/** Holds files against the signatures among them, from the files alone. */
import type { AuditChain } from './audit-chain.ts'
import { fingerprintOf, openEnvelope } from './envelope.ts'
import { type ErasureStatement, readErasureStatement } from './erasure.ts'
import { type Claim, type GivenFile, isNamedSignature, plainName } from './given.ts'
import { type ReadStatement, readStatement } from './statement.ts'

/**
 * `altered`: something is not as it was signed, or was not signed at all. `revoked`: intact, by a key that somebody else may have. `other_signer`, `unknown_signer`: intact, by another
 * key than the expected ones, or nobody said which is expected. `incomplete`: intact, and files are not there.
 */
export type Outcome =
  | 'verified'
  | 'altered'
  | 'revoked'
  | 'other_signer'
  | 'unknown_signer'
  | 'incomplete'
  | 'no_signature'

export interface FileVerdict {
  readonly path: string
  /** `unproven`: no signature is left to hold it against. */
  readonly state: 'signature' | 'intact' | 'altered' | 'foreign' | 'unproven'
  /** Null for what is in order. */
  readonly reason: string | null
  /** Of an audit log. */
  readonly chain: AuditChain | null
}

/** One version of a run whose signature holds. */
export interface SetVerdict {
  readonly path: string
  readonly run_id: string
  readonly target: string
  readonly version: number
  readonly signed_at: string
  readonly fingerprint: string
  /** Null: nobody said whose it should be. */
  readonly expected: boolean | null
  /** What the installation says of its key; null: it is in force, or nobody asked. */
  readonly revoked: Revocation | null
  /** Names of files that were signed and are not there. */
  readonly missing: readonly string[]
}

/** A receipt of an erasure whose signature holds. */
export interface ReceiptVerdict extends Omit<ErasureStatement, 'id'> {
  readonly path: string
  readonly erasure_id: string
  readonly fingerprint: string
  /** Null: nobody said whose it should be. */
  readonly expected: boolean | null
  readonly revoked: Revocation | null
}

export interface Verdict {
  readonly outcome: Outcome
  readonly receipts: readonly ReceiptVerdict[]
  readonly sets: readonly SetVerdict[]
  readonly files: readonly FileVerdict[]
}

/** That a key proves nothing any more. */
export interface Revocation {
  readonly fingerprint: string
  /** RFC 3339. */
  readonly at: string
  readonly because: string
}

interface Signed extends ReadStatement {
  readonly path: string
  readonly fingerprint: string
  /** Several files may have the same bytes. */
  readonly byDigest: ReadonlyMap<string, readonly SignedFile[]>
}

type SignedFile = ReadStatement['files'][number]

/** `keys`: fingerprints of whoever may have signed; none: that is left open. `revoked`: of keys that prove nothing. */
export const verifyFiles = (
  given: readonly GivenFile[],
  keys: readonly string[],
  revoked: readonly Revocation[] = [],
): Verdict => {
  const isSignature = (file: GivenFile): boolean => file.signature !== null || isNamedSignature(file.path)
  const receipts = given.flatMap((file) => receiptIn(file, keys, revoked) ?? [])
  const isReceipt = ({ path }: GivenFile): boolean => receipts.some((one) => one.path === path)
  const opened = given
    .filter((file) => isSignature(file) && !isReceipt(file))
    .map((file) => ({ file, signed: openSigned(file) }))
  const signed = opened.flatMap((one) => one.signed ?? [])
  const judged = given.filter((file) => !isSignature(file)).map((file) => judgedFile(file, signed))
  const sets = signed.map((one) => setVerdict(one, judged, keys, revoked))
  const files = [
    ...receipts.map(({ path }): FileVerdict => ({ path, state: 'signature', reason: null, chain: null })),
    ...opened.map(({ file, signed: held }) => signatureVerdict(file.path, held)),
    ...judged.map(({ verdict }) => verdict),
  ]
  return { outcome: outcomeOf([...sets, ...receipts], files, opened.length + receipts.length), receipts, sets, files }
}

/** Null where it is none, or not exactly what its signer wrote. */
const receiptIn = (
  { path, signature }: GivenFile,
  keys: readonly string[],
  revoked: readonly Revocation[],
): ReceiptVerdict | null => {
  const envelope = signature === null ? null : openEnvelope(signature)
  const statement = envelope === null ? null : readErasureStatement(envelope)
  if (!envelope || !statement || !envelope.isSignedBy(statement.publicKey)) return null
  const { id, publicKey, ...about } = statement
  const fingerprint = fingerprintOf(publicKey)
  return {
    ...about,
    path,
    erasure_id: id,
    fingerprint,
    expected: keys.length === 0 ? null : keys.includes(fingerprint),
    revoked: revoked.find((one) => one.fingerprint === fingerprint) ?? null,
  }
}

/** Null where it is not exactly what its signer wrote. */
const openSigned = ({ path, signature }: GivenFile): Signed | null => {
  const envelope = signature === null ? null : openEnvelope(signature)
  const statement = envelope === null ? null : readStatement(envelope)
  if (!envelope || !statement || !envelope.isSignedBy(statement.publicKey)) return null
  const byDigest = Map.groupBy(statement.files, (file) => file.sha256)
  return { ...statement, path, fingerprint: fingerprintOf(statement.publicKey), byDigest }
}

const signatureVerdict = (path: string, signed: Signed | null): FileVerdict => ({
  ...{ path, chain: null },
  state: signed === null ? 'altered' : 'signature',
  reason: signed === null ? 'the signature does not hold: it is not what its key has signed' : null,
})

interface Judged {
  readonly verdict: FileVerdict
  /** Of each signature that names these bytes, or else of the one that they stand in for: the names there. */
  readonly names: ReadonlyMap<Signed, readonly string[]>
}

const judgedFile = (file: GivenFile, signed: readonly Signed[]): Judged => {
  const { path, sha256, size } = file
  const matches = new Map(
    signed.map((one) => [one, (one.byDigest.get(sha256) ?? []).filter((each) => each.size === size)]),
  )
  const known = [...matches.values()].flat()
  if (known.length > 0) {
    const names = new Map([...matches].map(([one, same]) => [one, same.map(({ name }) => name)]))
    const chain = known.some(({ kind }) => kind === 'audit_log') ? file.chain : null
    const verdict = { path, state: chain?.broken ? 'altered' : 'intact', reason: chainText(chain), chain } as const
    return { verdict, names }
  }
  if (signed.length === 0) {
    const reason = 'there is no signature that holds and names it'
    return { verdict: { path, state: 'unproven', reason, chain: null }, names: new Map() }
  }
  return unmatched(file, signed)
}

/** Its bytes are named by no signature: altered where it stands in the place of one that is, else foreign. */
const unmatched = (file: GivenFile, signed: readonly Signed[]): Judged => {
  const { path, claim } = file
  const foreign = (reason: string): Judged => ({
    verdict: { path, state: 'foreign', reason, chain: null },
    names: new Map(),
  })
  if (claim !== null && !signed.some((one) => isOf(claim, one)))
    return foreign(`it says that it is ${claimText(claim)}`)
  const name = plainName(path)
  const place = signed
    .filter((one) => claim === null || isOf(claim, one))
    .flatMap((one) => one.files.filter((each) => plainName(each.name) === name).map((each) => ({ one, each })))[0]
  if (place === undefined) return foreign('no signature names such a file')
  const chain = place.each.kind === 'audit_log' ? file.chain : null
  const what =
    claim === null
      ? 'these bytes were not signed: altered, or of another run or version'
      : 'these bytes were not signed'
  const reason = [what, chainText(chain)].filter((part) => part !== null).join('; ')
  return { verdict: { path, state: 'altered', reason, chain }, names: new Map([[place.one, [place.each.name]]]) }
}

const isOf = ({ runId, version }: Claim, signed: Signed): boolean =>
  runId === signed.runId && (version === null || version === signed.version)

const claimText = ({ runId, version }: Claim): string =>
  `of run ${runId}${version === null ? '' : `, version ${version}`}`

const chainText = (chain: AuditChain | null): string | null =>
  chain?.broken ? `its chain breaks at line ${chain.broken.line}: ${chain.broken.why}` : null

const setVerdict = (
  signed: Signed,
  judged: readonly Judged[],
  keys: readonly string[],
  revoked: readonly Revocation[],
): SetVerdict => {
  const there = new Set(judged.flatMap(({ names }) => names.get(signed) ?? []))
  const { path, runId, target, version, signedAt, fingerprint, files } = signed
  return {
    ...{ path, run_id: runId, target, version, signed_at: signedAt, fingerprint },
    expected: keys.length === 0 ? null : keys.includes(fingerprint),
    revoked: revoked.find((one) => one.fingerprint === fingerprint) ?? null,
    missing: files.filter((file) => isExpected(file, files, there) && !there.has(file.name)).map(({ name }) => name),
  }
}

/** Source and logo of the PDF are in it; single files of evidence are in the archive of all, and the other way round. */
const isExpected = ({ kind, name }: SignedFile, all: readonly SignedFile[], there: ReadonlySet<string>): boolean => {
  if (kind !== 'evidence') return kind !== 'report_tex' && kind !== 'branding_logo'
  if (name.includes('/')) return false
  const single = all.filter((each) => each.kind === 'evidence' && each.name !== name)
  return single.length === 0 || !single.every((each) => there.has(each.name))
}

const outcomeOf = (
  sets: readonly (Pick<SetVerdict, 'expected' | 'revoked'> & Partial<Pick<SetVerdict, 'missing'>>)[],
  files: readonly FileVerdict[],
  signatures: number,
): Outcome => {
  if (signatures === 0) return 'no_signature'
  if (files.some(({ state }) => state !== 'signature' && state !== 'intact')) return 'altered'
  if (sets.some(({ revoked }) => revoked !== null)) return 'revoked'
  if (sets.some(({ expected }) => expected === false)) return 'other_signer'
  if (sets.some(({ expected }) => expected === null)) return 'unknown_signer'
  return sets.some(({ missing = [] }) => missing.length > 0) ? 'incomplete' : 'verified'
}
