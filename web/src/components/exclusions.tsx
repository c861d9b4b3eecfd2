/** Addresses that no run of the domain asks for, one in a line. */
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
    send: ({ exclude }) => client.updateDomain({ params: { id: domain.id }, body: { exclude: linesOf(exclude) } }),
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
      <SaveEnd sending={sending} may={may} />
    </form>
  )
}

const shown = ({ exclude }: Domain) => ({ exclude: exclude.join('\n') })
