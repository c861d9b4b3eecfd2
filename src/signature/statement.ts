/** What is signed: an in-toto statement (in-toto attestation framework v1) that names each file of one version by its digest. */
import { z } from 'zod'
import type { ArtifactKind } from '../contract/artifact.ts'
import { Uuid } from '../contract/run.ts'
import { Timestamp } from '../contract/time.ts'
import { type OpenedEnvelope, type Signer, seal } from './envelope.ts'
import { parsedJson } from './json.ts'

export const SIGNATURE_FILE = 'signature.json'

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
/** Raised when what the predicate says changes its meaning. */
const PREDICATE_TYPE = 'urn:sonde:report:v1'
const MAX_SUBJECTS = 50_000

const Subject = z.looseObject({
  name: z.string().min(1).max(1000),
  digest: z.looseObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  annotations: z.looseObject({ kind: z.string(), size: z.int().min(0) }),
})

const Statement = z.looseObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(Subject).max(MAX_SUBJECTS),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.looseObject({
    run_id: Uuid,
    target: z.string(),
    version: z.int().min(1),
    signed_at: Timestamp,
    key: z.looseObject({ algorithm: z.literal('Ed25519'), public_key: z.base64() }),
  }),
})

/** A file that is bound. */
export interface BoundFile {
  readonly name: string
  readonly kind: ArtifactKind
  /** Lower case hex. */
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

/** One version of a run's report. */
export interface SignedVersion {
  readonly runId: string
  readonly target: string
  readonly version: number
  /** When it was signed. */
  readonly signedAt: string
}

/** The whole signature file. */
export const signVersion = (about: SignedVersion, files: readonly BoundFile[], signer: Signer): Buffer =>
  seal(
    Buffer.from(
      JSON.stringify({
        _type: STATEMENT_TYPE,
        subject: files.map(({ name, kind, sha256, size }) => ({
          name,
          digest: { sha256 },
          annotations: { kind, size },
        })),
        predicateType: PREDICATE_TYPE,
        predicate: {
          run_id: about.runId,
          target: about.target,
          version: about.version,
          signed_at: about.signedAt,
          key: { algorithm: 'Ed25519', public_key: signer.publicKey.toString('base64') },
        },
      } satisfies z.infer<typeof Statement>),
    ),
    signer,
  )

export interface ReadStatement extends SignedVersion {
  readonly files: readonly (Omit<BoundFile, 'kind'> & { readonly kind: string })[]
  /** SPKI in DER, as the statement itself names it: it proves who signed only to whoever knows its fingerprint. */
  readonly publicKey: Buffer
}

/** Null where the envelope holds something else, whoever signed it. */
export const readStatement = ({ payload }: OpenedEnvelope): ReadStatement | null => {
  const parsed = Statement.safeParse(parsedJson(payload))
  if (!parsed.success) return null
  const { subject, predicate } = parsed.data
  return {
    runId: predicate.run_id,
    target: predicate.target,
    version: predicate.version,
    signedAt: predicate.signed_at,
    files: subject.map(({ name, digest, annotations: { kind, size } }) => ({
      name,
      kind,
      size,
      sha256: digest.sha256,
    })),
    publicKey: Buffer.from(predicate.key.public_key, 'base64'),
  }
}
