/** Bodies of the endpoints about the service itself. */
import { z } from 'zod'
import { Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const Health = z.strictObject({ status: z.literal('ok'), version: z.string() })
export type Health = z.infer<typeof Health>

export const Readiness = z.strictObject({
  status: z.literal('ready'),
  checks: z.strictObject({
    database: z.literal('ok'),
    storage: z.literal('ok').optional().describe('Files of runs can be written and read'),
  }),
})
export type Readiness = z.infer<typeof Readiness>

export const VerifyTrafficQuery = z.strictObject({
  sonde_run: z.string().min(1).max(512).describe('Value of the Sonde-Run header that a request to your site carried'),
})

const PublicKey = z.strictObject({
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the public key as SPKI in DER: `openssl pkey -pubin -outform der | sha256sum`'),
  public_key: z.string().describe('SPKI in PEM (RFC 8410)'),
  created_at: Timestamp,
})

/** By whom reports are signed. */
export const SigningKeys = PublicKey.extend({
  algorithm: z.literal('Ed25519').describe('RFC 8032'),
  former: z
    .array(
      PublicKey.extend({
        retired_at: Timestamp.describe('It has signed nothing since'),
        revoked: z
          .strictObject({ at: Timestamp, because: z.string() })
          .optional()
          .describe('Somebody else may have the key: what it has signed proves nothing, whatever time it names'),
      }),
    )
    .describe(
      'Keys that signed before, the last one first: what they have signed stays verifiable, unless they are revoked',
    ),
})
export type SigningKeys = z.infer<typeof SigningKeys>

/** For whoever lets scans through a firewall, or takes their rate limit away. */
export const ScanAddresses = z.strictObject({
  addresses: z
    .array(z.string())
    .describe('Networks in CIDR form, as the operator names them (`SONDE_SCAN_ADDRESSES`); empty where none are named'),
  header: z.literal('Sonde-Run').describe('Every request of a scan carries it, signed'),
  verify: z.string().describe('Where its value is told from one that others made'),
})
export type ScanAddresses = z.infer<typeof ScanAddresses>

/** Says nothing about the run but what the header itself claims. */
export const TrafficVerdict = z.strictObject({
  ours: z.boolean().describe('True when this installation signed the header'),
  run_id: Uuid.nullable(),
  sent_at: Timestamp.nullable(),
})
export type TrafficVerdict = z.infer<typeof TrafficVerdict>
