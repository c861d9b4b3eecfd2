/** Views that somebody has named for themselves; each is an address. */
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { client } from '../../client.ts'
import { useT } from '../../i18n/text.tsx'
import { viewsQuery } from '../../queries.ts'
import { useSentForm } from '../../use-sent-form.tsx'
import { Dialog } from '../dialog.tsx'
import { FailureLine } from '../failure.tsx'
import { FormEnd } from '../form-end.tsx'

export const SavedViews = ({ search }: { readonly search: URLSearchParams }) => {
  const t = useT()
  const queries = useQueryClient()
  const views = useQuery(viewsQuery)
  const [naming, setNaming] = useState(false)
  const query = search.toString()
  const items = views.data?.items ?? []
  const here = items.find((view) => view.query === query)
  const forget = useMutation({
    mutationFn: (name: string) => client.deleteView({ params: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: viewsQuery.queryKey }),
  })
  // All findings as they come are no view that anybody would look for by a name.
  if (items.length === 0 && query === '') return null
  return (
    <nav className="chips" aria-label={t('views')}>
      {items.map((view) => (
        <Link
          key={view.name}
          className="chip"
          to={{ search: view.query }}
          aria-current={view === here ? 'page' : undefined}
        >
          {view.name}
        </Link>
      ))}
      {here === undefined ? (
        <Button size="compact-sm" variant="subtle" onClick={() => setNaming(true)}>
          {t('saveView')}
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={forget.isPending}
          onClick={() => forget.mutate(here.name)}
          aria-label={`${t('forgetView')}: ${here.name}`}
        >
          {t('forgetView')}
        </Button>
      )}
      <FailureLine error={forget.error} />
      {naming ? <NameDialog query={query} close={() => setNaming(false)} /> : null}
    </nav>
  )
}

const NameDialog = ({ query, close }: { readonly query: string; readonly close: () => void }) => {
  const t = useT()
  const queries = useQueryClient()
  const { form, sending, submit } = useSentForm({
    initialValues: { name: '' },
    send: ({ name }) => client.saveView({ params: { name: name.trim() }, body: { query } }),
    sent: () => {
      void queries.invalidateQueries({ queryKey: viewsQuery.queryKey })
      close()
    },
  })
  return (
    <Dialog title={t('saveView')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p className="quiet">{t('saveViewText')}</p>
        <TextInput
          key={form.key('name')}
          {...form.getInputProps('name')}
          label={t('name')}
          required
          maxLength={80}
          data-autofocus
        />
        <FormEnd sending={sending} label={t('saveView')} close={close} />
      </form>
    </Dialog>
  )
}
