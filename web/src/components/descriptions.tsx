/** Descriptions of a domain's interfaces: brought, listed with what was taken and refused, removed. */
import { Button, FileButton, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Description } from '../../../src/contract/description.ts'
import { client } from '../client.ts'
import { number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { descriptionsQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'
import { When } from './when.tsx'

/** Refusals that are shown; the interface has a thousand. */
const MOST_SHOWN = 100

export const Descriptions = ({ domainId }: { readonly domainId: string }) => {
  const { t } = useText()
  const may = useMay('domains:write')
  const known = useQuery(descriptionsQuery(domainId))
  const items = known.data?.items ?? []
  return (
    <section className="card pad stack tight" aria-labelledby="descriptions">
      <h2 id="descriptions">{t('descriptions')}</h2>
      <p className="quiet small">{t('descriptionsHint')}</p>
      {items.map((one) => (
        <Kept key={one.id} domainId={domainId} description={one} />
      ))}
      {known.data !== undefined && items.length === 0 && !may ? <p className="small">{t('noDescriptions')}</p> : null}
      <FailureLine error={known.error} />
      {may ? <Bring domainId={domainId} /> : null}
    </section>
  )
}

const Kept = ({ domainId, description }: { readonly domainId: string; readonly description: Description }) => {
  const { t, language } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const remove = useMutation({
    mutationFn: () => client.deleteDescription({ params: { id: domainId, description_id: description.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['descriptions', domainId] }),
  })
  const { name, kind, operations, described, refused, left_out } = description
  const counts = { taken: number(operations, language), of: number(described, language) }
  return (
    <article className="stack tight">
      <div className="row">
        <strong className="mono">{name}</strong>
        <span className="tag">{kind}</span>
        <span className="small">{t('operationsTaken', counts)}</span>
        <span className="small quiet">
          <When iso={description.created_at} />, {description.created_by}
        </span>
        {may ? (
          <Button
            variant="subtle"
            loading={remove.isPending}
            aria-label={t('removeDescription', { name })}
            onClick={() => remove.mutate()}
          >
            {t('remove')}
          </Button>
        ) : null}
      </div>
      {refused.length === 0 ? null : (
        <details className="more">
          <summary>{t('operationsRefused', { count: number(described - operations, language) })}</summary>
          <ul className="checks" lang="en">
            {refused.slice(0, MOST_SHOWN).map(({ where, line, reason }) => (
              <li key={`${where} ${line} ${reason}`}>
                <span className="mono">{line === null ? where : `${where} (${line})`}</span>
                <span>{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {left_out.length === 0 ? null : (
        <details className="more">
          <summary>{t('credentialsLeftOut', { count: number(left_out.length, language) })}</summary>
          <ul className="checks" lang="en">
            {left_out.slice(0, MOST_SHOWN).map(({ where, reason }) => (
              <li key={`${where} ${reason}`}>
                <span className="mono">{where}</span>
                <span>{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <FailureLine error={remove.error} />
    </article>
  )
}

const Bring = ({ domainId }: { readonly domainId: string }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const [path, setPath] = useState('')
  const bring = useMutation({
    mutationFn: (files: readonly File[]) => {
      const form = new FormData()
      for (const file of files) form.append('file', file, file.name)
      return client.createDescription({
        params: { id: domainId },
        query: path.trim() === '' ? {} : { path: path.trim() },
        raw: form,
      })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['descriptions', domainId] }),
  })
  return (
    <div className="stack tight">
      <TextInput
        classNames={{ wrapper: 'narrow' }}
        label={t('servedAt')}
        description={t('servedAtHint')}
        placeholder="/graphql"
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <div className="row">
        <FileButton multiple onChange={(files) => files.length > 0 && bring.mutate(files)}>
          {(props) => (
            <Button {...props} variant="default" loading={bring.isPending}>
              {t('bringDescription')}
            </Button>
          )}
        </FileButton>
        <span aria-live="polite" className="small quiet">
          {bring.isSuccess ? t('saved') : ''}
        </span>
      </div>
      <FailureLine error={bring.error} />
    </div>
  )
}
