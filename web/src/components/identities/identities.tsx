/** Identities of a domain: brought, changed, tried out with what their last test came to, deleted. */
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain } from '../../../../src/contract/domain.ts'
import type { Identity } from '../../../../src/contract/identity.ts'
import { client } from '../../client.ts'
import { IDENTITY_WORDS } from '../../i18n/rooms.ts'
import { useRoom } from '../../i18n/text.tsx'
import { identitiesQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { FailureLine } from '../failure.tsx'
import { LoginTested } from '../login-tested.tsx'
import { isVerified } from '../verified.ts'
import { When } from '../when.tsx'
import { IdentityDialog } from './identity-form.tsx'
import { SignInHosts } from './sign-in-hosts.tsx'

const Identities = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const may = useMay('domains:write')
  const known = useQuery(identitiesQuery(domain.id))
  const [adding, setAdding] = useState(false)
  const items = known.data?.items ?? []
  return (
    <section className="card pad stack tight" aria-labelledby="identities">
      <h2 id="identities">{t('identities')}</h2>
      <p className="quiet small">{t('identitiesHint')}</p>
      {items.map((one) => (
        <Kept key={one.id} domain={domain} identity={one} />
      ))}
      {known.data !== undefined && items.length === 0 ? <p className="small">{t('noIdentities')}</p> : null}
      <FailureLine error={known.error} />
      {isVerified(domain) ? null : <p className="small">{t('loginNeedsProof')}</p>}
      {may && isVerified(domain) ? (
        <div className="row">
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('addIdentity')}
          </Button>
        </div>
      ) : null}
      <SignInHosts domain={domain} key={domain.sign_in_hosts.join()} />
      {adding ? <IdentityDialog domain={domain} kept={null} close={() => setAdding(false)} /> : null}
    </section>
  )
}

interface KeptProps {
  readonly domain: Domain
  readonly identity: Identity
}

const Kept = ({ domain, identity }: KeptProps) => {
  const may = useMay('domains:write')
  const { name, role, parts, test } = identity
  return (
    <article className="stack tight identity" aria-label={name}>
      <div className="row">
        <strong className="mono">{name}</strong>
        {role === '' ? null : <span>{role}</span>}
        <Parts parts={parts} />
        <span className="small quiet">
          <When iso={identity.set_at} />, {identity.set_by}
        </span>
      </div>
      {may ? <Deeds domain={domain} identity={identity} /> : null}
      <div aria-live="polite">
        {test === null ? null : (
          <LoginTested
            test={test}
            pictureAt={(step) => `/v1/domains/${domain.id}/identities/${identity.id}/test/pictures/${step}`}
          />
        )}
      </div>
    </article>
  )
}

const Parts = ({ parts }: Pick<Identity, 'parts'>) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const known = ['steps', 'request', 'oauth2', 'cookie', 'header', 'totp'] as const
  return parts.map((part) => {
    const one = known.find((name) => name === part)
    return (
      <span className="tag" key={part}>
        {one === undefined ? part : one === 'totp' ? t('totpPart') : t(`kind_${one}`)}
      </span>
    )
  })
}

const Deeds = ({ domain, identity }: KeptProps) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const queries = useQueryClient()
  const [changing, setChanging] = useState(false)
  const params = { id: domain.id, identity_id: identity.id }
  const changed = () => {
    for (const queryKey of [
      ['identities', domain.id],
      ['domain', domain.id],
      ['login-test', domain.id],
    ])
      void queries.invalidateQueries({ queryKey })
  }
  const test = useMutation({ mutationFn: () => client.testIdentity({ params }), onSuccess: changed })
  const remove = useMutation({ mutationFn: () => client.deleteIdentity({ params }), onSuccess: changed })
  const { name } = identity
  const verified = isVerified(domain)
  const busy = identity.test?.state === 'waiting' || identity.test?.state === 'running'
  return (
    <>
      <div className="row">
        <Button
          size="compact-sm"
          variant="default"
          loading={test.isPending || busy}
          disabled={!verified}
          aria-label={t('testIdentity', { name })}
          onClick={() => test.mutate()}
        >
          {t('testLogin')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={!verified}
          aria-label={t('changeIdentity', { name })}
          onClick={() => setChanging(true)}
        >
          {t('edit')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          loading={remove.isPending}
          aria-label={t('removeIdentity', { name })}
          onClick={() => remove.mutate()}
        >
          {t('deleteLogin')}
        </Button>
      </div>
      <FailureLine error={test.error ?? remove.error} />
      {changing ? <IdentityDialog domain={domain} kept={identity} close={() => setChanging(false)} /> : null}
    </>
  )
}

export default Identities
