import { createPublicKey } from 'node:crypto'
import { StorageError } from '../../artifacts/artifacts.ts'
import { openApi } from '../../contract/openapi.ts'
import { ProblemError } from '../../contract/problem.ts'
import { within } from '../../contract/within.ts'
import { allSigningKeys, presentKey, type SigningKey } from '../../store/signing-keys.ts'
import { answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'

export const serviceRoutes = (services: Services): readonly Route[] => {
  const document = JSON.stringify(openApi(services.version))
  return [
    bind('openapi', async () => rawAnswer(200, document, { 'Content-Type': 'application/json' })),

    bind('healthz', async () => answer(200, { status: 'ok' as const, version: services.version })),

    bind('readyz', async () => {
      const [database, storage] = await Promise.allSettled([
        within(READY_TIMEOUT, services.db.query('select 1')),
        within(READY_TIMEOUT, services.storage.check()),
      ])
      if (database.status === 'rejected') throw notReady('The database does not answer.', database.reason)
      if (storage.status === 'rejected') throw notReady(wordsOf(storage.reason), storage.reason)
      return answer(200, { status: 'ready' as const, checks: { database: 'ok' as const, storage: 'ok' as const } })
    }),

    bind('metrics', async () => {
      const { registry } = services.figures
      return rawAnswer(200, await registry.metrics(), { 'Content-Type': registry.contentType })
    }),

    bind('readSigningKey', async () => {
      const present = publicKey(await presentKey(services.db, services.keys))
      const former = (await allSigningKeys(services.db)).flatMap((key) =>
        key.retiredAt === null
          ? []
          : [
              {
                ...publicKey(key),
                retired_at: key.retiredAt.toISOString(),
                ...(key.revoked === null
                  ? {}
                  : { revoked: { at: key.revoked.at.toISOString(), because: key.revoked.because } }),
              },
            ],
      )
      return answer(200, { ...present, algorithm: 'Ed25519' as const, former }, { 'Cache-Control': 'no-cache' })
    }),

    bind('verifyTraffic', async ({ query }) => {
      const identity = services.verifyTraffic(query.sonde_run)
      const body =
        identity === null
          ? { ours: false, run_id: null, sent_at: null }
          : { ours: true, run_id: identity.runId, sent_at: new Date(identity.issuedAt * 1000).toISOString() }
      return answer(200, body)
    }),
  ]
}

const publicKey = ({ fingerprint, publicKey: der, createdAt }: SigningKey) => {
  const pem = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'pem', type: 'spki' })
  return { fingerprint, public_key: String(pem), created_at: createdAt.toISOString() }
}

const notReady = (detail: string, cause: unknown): ProblemError =>
  new ProblemError('unavailable', detail, { cause, headers: { 'Retry-After': '5' } })

/** The endpoint is public: which storage it is, and what it said, is in the log. */
const wordsOf = (error: unknown): string =>
  error instanceof StorageError && error.code === 'full'
    ? 'The disk that keeps the files of runs is full.'
    : 'The storage that keeps the files of runs does not answer.'

/** Milliseconds. */
const READY_TIMEOUT = 2_000
