/** Where scans come from, and what was erased for good; owners erase here. */
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Erasure } from '../../../../src/contract/erasure.ts'
import { client } from '../../client.ts'
import { saveText } from '../../download.ts'
import { ERASURE_WORDS } from '../../i18n/rooms.ts'
import { useRoom } from '../../i18n/text.tsx'
import { erasuresQuery, scanAddressesQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useSentForm } from '../../use-sent-form.tsx'
import { Dialog } from '../dialog.tsx'
import { FailureLine } from '../failure.tsx'
import { FormEnd } from '../form-end.tsx'
import { Ghost } from '../ghost.tsx'
import { When } from '../when.tsx'

const DataSections = () => (
  <>
    <Addresses />
    {useMay('organisation:read') ? <Erasures /> : null}
  </>
)

const Addresses = () => {
  const { t } = useRoom(ERASURE_WORDS)
  const { data, error } = useQuery(scanAddressesQuery)
  return (
    <section className="card pad stack tight" aria-labelledby="scan-addresses">
      <h2 id="scan-addresses">{t('scanAddresses')}</h2>
      <FailureLine error={error} />
      {data === undefined ? (
        <Ghost />
      ) : (
        <>
          {data.addresses.length === 0 ? (
            <p>{t('scanAddressesNone')}</p>
          ) : (
            <p>
              <code>{data.addresses.join(' ')}</code>
            </p>
          )}
          <p className="quiet small">{t('scanAddressesText', { header: data.header, verify: data.verify })}</p>
        </>
      )}
    </section>
  )
}

const Erasures = () => {
  const { t } = useRoom(ERASURE_WORDS)
  const { data, error } = useQuery(erasuresQuery)
  const may = useMay('organisation:write')
  const [asking, setAsking] = useState(false)
  const items = data?.items ?? []
  return (
    <section className="card pad stack tight" aria-labelledby="erase">
      <h2 id="erase">{t('eraseTitle')}</h2>
      <p className="quiet small">{t('eraseText')}</p>
      <FailureLine error={error} />
      {items.length === 0 ? null : (
        <ul className="stack tight" aria-label={t('erased')}>
          {items.map((erasure) => (
            <Erased key={erasure.id} erasure={erasure} />
          ))}
        </ul>
      )}
      {may ? (
        <div className="row">
          <Button className="danger" onClick={() => setAsking(true)}>
            {t('erase')}
          </Button>
        </div>
      ) : null}
      {asking ? <AskToErase close={() => setAsking(false)} /> : null}
    </section>
  )
}

const Erased = ({ erasure: { id, domain, counts, asked_by, asked_at, receipt } }: { readonly erasure: Erasure }) => {
  const { t } = useRoom(ERASURE_WORDS)
  return (
    <li className="row between">
      <span>
        {t('erasedLine', { ...counts, name: domain ?? t('erasedWhole'), who: asked_by })}, <When iso={asked_at} />
      </span>
      {receipt === null ? (
        <span className="quiet small">{t('receiptLater')}</span>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${t('receipt')} ${domain ?? ''}`}
          onClick={() => saveText(`erasure-${id}.json`, receipt)}
        >
          {t('receipt')}
        </Button>
      )}
    </li>
  )
}

const AskToErase = ({ close }: { readonly close: () => void }) => {
  const { t } = useRoom(ERASURE_WORDS)
  const queries = useQueryClient()
  const { form, sending, submit } = useSentForm({
    initialValues: { domain: '', confirm: '' },
    send: ({ domain, confirm }) => client.eraseDomain({ body: { domain: domain.trim(), confirm: confirm.trim() } }),
    sent: () => {
      void queries.invalidateQueries()
      close()
    },
  })
  return (
    <Dialog title={t('eraseQuestion')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p>{t('eraseText')}</p>
        <TextInput key={form.key('domain')} {...form.getInputProps('domain')} label={t('eraseName')} required />
        <TextInput key={form.key('confirm')} {...form.getInputProps('confirm')} label={t('eraseAgain')} required />
        <FormEnd sending={sending} label={t('erase')} danger close={close} />
      </form>
    </Dialog>
  )
}

export default DataSections
