/** Addresses that no run of the domain asks for, one in a line. */
import { Button, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Domain } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'

/** Pure: lines with something in them. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const Exclusions = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const [text, setText] = useState(domain.exclude.join('\n'))
  const save = useMutation({
    mutationFn: () => client.updateDomain({ params: { id: domain.id }, body: { exclude: linesOf(text) } }),
    onSuccess: (changed) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      setText(changed.exclude.join('\n'))
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className="card pad stack tight" onSubmit={submit} aria-labelledby="exclude">
      <h2 id="exclude">{t('exclusions')}</h2>
      <p className="quiet small" id="exclude-hint">
        {t('exclusionsHint')}
      </p>
      <Textarea
        aria-labelledby="exclude"
        aria-describedby="exclude-hint"
        rows={4}
        spellCheck={false}
        readOnly={!may}
        placeholder={'/logout\n/admin'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <FailureLine error={save.error} />
      {may ? (
        <div className="row">
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('save')}
          </Button>
          <span aria-live="polite" className="small quiet">
            {save.isSuccess ? t('saved') : ''}
          </span>
        </div>
      ) : null}
    </form>
  )
}
