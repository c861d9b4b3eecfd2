/** By whose key the newest version of a run is signed. */
import { useQuery } from '@tanstack/react-query'
import type { Artifact } from '../../../src/contract/artifact.ts'
import type { SigningKeys } from '../../../src/contract/service.ts'
import { useT } from '../i18n/text.tsx'
import { signingKeysQuery } from '../queries.ts'
import { CopyButton } from './copy.tsx'

/** Nothing where it has no signature, or while the keys are not known. */
export const SignedBy = ({ files }: { readonly files: readonly Artifact[] }) => {
  const t = useT()
  const keys = useQuery(signingKeysQuery)
  const signature = files
    .filter(({ kind }) => kind === 'signature')
    .toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0))[0]
  if (signature === undefined || keys.data === undefined) return null
  const fingerprint = signerAt(keys.data, signature.created_at)
  const revoked = keys.data.former.find((key) => key.fingerprint === fingerprint)?.revoked
  if (revoked !== undefined)
    return (
      <div className="notice warn small" role="status">
        {t('signerRevoked')} <code className="break">{fingerprint}</code>
        <p className="break">{revoked.because}</p>
      </div>
    )
  return (
    <p className="small">
      {t('signedBy')} <code className="break">{fingerprint}</code>{' '}
      <CopyButton text={fingerprint} label={t('signedBy')} />
      <span className="quiet">{t('signedHint')}</span>
    </p>
  )
}

/** Pure: which key signed at that time. */
const signerAt = ({ fingerprint, former }: SigningKeys, at: string): string =>
  former.toSorted((a, b) => a.retired_at.localeCompare(b.retired_at)).find(({ retired_at }) => at < retired_at)
    ?.fingerprint ?? fingerprint
