/** Addresses of the domain, one in a line: where it begins beside its start page, and what no run asks for. */
import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { useSentForm } from '../use-sent-form.tsx'
import { SaveEnd } from './form-end.tsx'

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
  const { form, sending, submit } = useSentForm({
    initialValues: shown(domain),
    send: ({ exclude, start_paths: begins }) =>
      client.updateDomain({
        params: { id: domain.id },
        body: { exclude: linesOf(exclude), start_paths: linesOf(begins) },
      }),
    sent: (changed, { setInitialValues }) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      setInitialValues(shown(changed))
    },
  })
  return (
    <form className="card pad stack tight" onSubmit={submit} aria-labelledby="exclude">
      <h2 id="exclude">{t('exclusions')}</h2>
      <Textarea
        key={form.key('exclude')}
        {...form.getInputProps('exclude')}
        aria-labelledby="exclude"
        description={t('exclusionsHint')}
        rows={4}
        spellCheck={false}
        readOnly={!may}
        placeholder={'/logout\n/admin'}
      />
      <Textarea
        key={form.key('start_paths')}
        {...form.getInputProps('start_paths')}
        label={t('startPaths')}
        description={t('startPathsHint')}
        rows={2}
        spellCheck={false}
        readOnly={!may}
        placeholder="/wiki/"
      />
      <SaveEnd sending={sending} may={may} />
    </form>
  )
}

const shown = ({ exclude, start_paths: begins }: Domain) => ({
  exclude: exclude.join('\n'),
  start_paths: begins.join('\n'),
})
