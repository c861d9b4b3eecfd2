/** The receipt of an erasure: an in-toto statement (in-toto attestation framework v1) about what is not there any more. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ErasedCounts } from '../contract/erasure.ts'
import { Uuid } from '../contract/run.ts'
import { Timestamp } from '../contract/time.ts'
import { type OpenedEnvelope, type Signer, seal } from './envelope.ts'
import { parsedJson } from './json.ts'
import { STATEMENT_TYPE } from './statement.ts'

/** Raised when what the predicate says changes its meaning. */
const PREDICATE_TYPE = 'urn:sonde:erasure:v1'

/** Backups are the operator's files: those of before hold it until they are deleted. */
const Predicate = z.looseObject({
  erasure_id: Uuid,
  organisation: z.string(),
  domain: z.string().nullable(),
  asked_by: z.string(),
  asked_at: Timestamp,
  ended_at: Timestamp,
  counts: ErasedCounts,
  backups_made_before: Timestamp,
  key: z.looseObject({ algorithm: z.literal('Ed25519'), public_key: z.base64() }),
})
const Statement = z.looseObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.tuple([z.looseObject({ name: z.string(), digest: z.looseObject({ sha256: z.string() }) })]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: Predicate,
})

export interface ErasureStatement {
  readonly id: string
  readonly organisation: string
  /** Null: the whole organisation. */
  readonly domain: string | null
  readonly askedBy: string
  readonly askedAt: string
  /** When the last file was gone. */
  readonly endedAt: string
  readonly counts: ErasedCounts
}

/** The whole receipt. */
export const signErasure = (about: ErasureStatement, signer: Signer): Buffer => {
  const name = about.domain ?? about.organisation
  return seal(
    Buffer.from(
      JSON.stringify({
        _type: STATEMENT_TYPE,
        // What is gone has no bytes: the digest is that of its name.
        subject: [{ name, digest: { sha256: createHash('sha256').update(name).digest('hex') } }],
        predicateType: PREDICATE_TYPE,
        predicate: {
          erasure_id: about.id,
          organisation: about.organisation,
          domain: about.domain,
          asked_by: about.askedBy,
          asked_at: about.askedAt,
          ended_at: about.endedAt,
          counts: about.counts,
          backups_made_before: about.askedAt,
          key: { algorithm: 'Ed25519', public_key: signer.publicKey.toString('base64') },
        },
      } satisfies z.infer<typeof Statement>),
    ),
    signer,
  )
}

/** Null where the envelope holds something else, whoever signed it. */
export const readErasureStatement = ({
  payload,
}: OpenedEnvelope): (ErasureStatement & { readonly publicKey: Buffer }) | null => {
  const parsed = Statement.safeParse(parsedJson(payload))
  if (!parsed.success) return null
  const { erasure_id, organisation, domain, asked_by, asked_at, ended_at, counts, key } = parsed.data.predicate
  return {
    ...{ id: erasure_id, organisation, domain, counts },
    ...{ askedBy: asked_by, askedAt: asked_at, endedAt: ended_at },
    publicKey: Buffer.from(key.public_key, 'base64'),
  }
}
