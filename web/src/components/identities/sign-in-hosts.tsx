/** Hosts elsewhere at which identities of the domain sign in: nothing secret goes to any other. */
import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../../../../src/contract/domain.ts'
import { client } from '../../client.ts'
import { IDENTITY_WORDS } from '../../i18n/rooms.ts'
import { useRoom } from '../../i18n/text.tsx'
import { domainQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useSentForm } from '../../use-sent-form.tsx'
import { linesOf } from '../exclusions.tsx'
import { SaveEnd } from '../form-end.tsx'

export const SignInHosts = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const { form, sending, submit } = useSentForm({
    initialValues: shown(domain),
    send: ({ sign_in_hosts: hosts }) =>
      client.updateDomain({ params: { id: domain.id }, body: { sign_in_hosts: linesOf(hosts) } }),
    sent: (changed, { setInitialValues }) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      setInitialValues(shown(changed))
    },
  })
  return (
    <details className="more" open={domain.sign_in_hosts.length > 0}>
      <summary>{t('signInHosts')}</summary>
      <form className="stack tight" onSubmit={submit}>
        <Textarea
          key={form.key('sign_in_hosts')}
          {...form.getInputProps('sign_in_hosts')}
          aria-label={t('signInHosts')}
          description={t('signInHostsHint')}
          classNames={{ input: 'mono' }}
          rows={2}
          spellCheck={false}
          readOnly={!may}
          placeholder="id.example.com"
        />
        <SaveEnd sending={sending} may={may} />
      </form>
    </details>
  )
}

const shown = ({ sign_in_hosts: hosts }: Domain) => ({ sign_in_hosts: hosts.join('\n') })
