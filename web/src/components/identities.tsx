/** Identities of a domain: listed with what their last test came to, tested, deleted, and brought as JSON. */
import { Button, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain } from '../../../src/contract/domain.ts'
import type { CreateIdentity, Identity } from '../../../src/contract/identity.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { identitiesQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'
import { LoginTested } from './login-tested.tsx'
import { isVerified } from './verified.ts'
import { When } from './when.tsx'

export const Identities = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const may = useMay('domains:write')
  const known = useQuery(identitiesQuery(domain.id))
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
      {may && isVerified(domain) ? <Bring domain={domain} /> : null}
    </section>
  )
}

const Kept = ({ domain, identity }: { readonly domain: Domain; readonly identity: Identity }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
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
  const { name, role, parts } = identity
  const busy = identity.test?.state === 'waiting' || identity.test?.state === 'running'
  return (
    <article className="stack tight">
      <div className="row">
        <strong className="mono">{name}</strong>
        <span className="tag">{parts.join(', ')}</span>
        {role === '' ? null : <span className="small">{role}</span>}
        <span className="small quiet">
          <When iso={identity.set_at} />, {identity.set_by}
        </span>
        {may ? (
          <>
            <Button
              variant="default"
              loading={test.isPending || busy}
              disabled={!isVerified(domain)}
              aria-label={t('testIdentity', { name })}
              onClick={() => test.mutate()}
            >
              {t('testLogin')}
            </Button>
            <Button
              variant="subtle"
              loading={remove.isPending}
              aria-label={t('removeIdentity', { name })}
              onClick={() => remove.mutate()}
            >
              {t('deleteLogin')}
            </Button>
          </>
        ) : null}
      </div>
      <FailureLine error={test.error ?? remove.error} />
      <div aria-live="polite">
        {identity.test === null ? null : (
          <LoginTested
            test={identity.test}
            pictureAt={(step) => `/v1/domains/${domain.id}/identities/${identity.id}/test/pictures/${step}`}
          />
        )}
      </div>
    </article>
  )
}

/** What is typed is checked by the service, which names every field that is wrong. */
const Bring = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const [json, setJson] = useState('')
  const bring = useMutation({
    mutationFn: (body: CreateIdentity) => client.createIdentity({ params: { id: domain.id }, body }),
    onSuccess: () => {
      setJson('')
      for (const queryKey of [
        ['identities', domain.id],
        ['domain', domain.id],
      ])
        void queries.invalidateQueries({ queryKey })
    },
  })
  const body = objectOf(json)
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        if (body !== null) bring.mutate(body)
      }}
    >
      <Textarea
        label={t('identityJson')}
        description={t('identityJsonHint')}
        className="mono"
        autosize
        minRows={3}
        maxRows={20}
        spellCheck={false}
        autoComplete="off"
        value={json}
        error={json.trim() === '' || body !== null ? undefined : t('noJson')}
        onChange={(event) => setJson(event.currentTarget.value)}
      />
      <div className="row">
        <Button type="submit" variant="default" loading={bring.isPending} disabled={body === null}>
          {t('storeIdentity')}
        </Button>
        <span aria-live="polite" className="small quiet">
          {bring.isSuccess ? t('saved') : ''}
        </span>
      </div>
      <FailureLine error={bring.error} />
    </form>
  )
}

/** Null while it is none. */
const objectOf = (text: string): CreateIdentity | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as CreateIdentity) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
