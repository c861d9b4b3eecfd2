/** Hosts of a domain that runs have seen: proposed in one list, chosen, registered. */
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Domain } from '../../../src/contract/domain.ts'
import type { DomainHost, DomainHostPage } from '../../../src/contract/domain-host.ts'
import { client } from '../client.ts'
import { HOST_WORDS } from '../i18n/rooms.ts'
import { useRoom } from '../i18n/text.tsx'
import { type HostState, hostsQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'
import { Ghosts } from './ghost.tsx'

const Hosts = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useRoom(HOST_WORDS)
  const [state, setState] = useState<HostState>('proposed')
  const hosts = useInfiniteQuery(hostsQuery(domain.id, state))
  const [first] = hosts.data?.pages ?? []
  const items = hosts.data?.pages.flatMap((page) => page.items) ?? []
  const isAny = first !== undefined && first.proposed + first.registered > 0
  return (
    <section className="card pad stack tight" aria-labelledby="hosts">
      <h2 id="hosts">{t('hosts')}</h2>
      <p className="quiet small">{t('hostsHint')}</p>
      {isAny ? (
        <div className="row">
          <NativeSelect
            className="narrow"
            aria-label={t('hostsFilter')}
            value={state}
            onChange={({ currentTarget }) => setState(currentTarget.value === 'registered' ? 'registered' : 'proposed')}
            data={[
              { value: 'proposed', label: t('hostsProposed') },
              { value: 'registered', label: t('hostsRegistered') },
            ]}
          />
          <span className="small quiet">
            {t('hostsCount', { proposed: first.proposed, registered: first.registered })}
          </span>
        </div>
      ) : null}
      {first === undefined ? hosts.error ? null : <Ghosts rows={2} /> : <Empty first={first} state={state} />}
      {items.length === 0 ? null : <Choice key={state} items={items} />}
      {hosts.hasNextPage ? (
        <div>
          <Button variant="default" loading={hosts.isFetchingNextPage} onClick={() => void hosts.fetchNextPage()}>
            {t('moreHosts')}
          </Button>
        </div>
      ) : null}
      <FailureLine error={hosts.error} />
    </section>
  )
}

/** What is not in the list, and why. */
const Empty = ({ first, state }: { readonly first: DomainHostPage; readonly state: HostState }) => {
  const { t } = useRoom(HOST_WORDS)
  const { proposed, registered, looked_for, left } = first
  return (
    <div className="stack tight small">
      {proposed + registered === 0 ? <p>{t('noHosts')}</p> : null}
      {proposed === 0 && registered > 0 && state === 'proposed' ? (
        <p>{t('allHostsRegistered', { n: registered })}</p>
      ) : null}
      {proposed + registered > 0 && !looked_for ? <p className="quiet">{t('hostsNotLookedFor')}</p> : null}
      {left.length === 0 ? null : (
        <p className="quiet">
          {t('hostsLeft')} <span lang="en">{left.join('; ')}</span>
        </p>
      )}
    </div>
  )
}

const Choice = ({ items }: { readonly items: readonly DomainHost[] }) => {
  const { t } = useRoom(HOST_WORDS)
  const may = useMay('domains:write')
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const register = useMutation({
    mutationFn: (names: readonly string[]) =>
      client.importDomains({ body: { domains: names.map((domain) => ({ domain })) } }),
    onSuccess: () => {
      setChosen(new Set())
      for (const key of ['hosts', 'domains', 'overview']) void queries.invalidateQueries({ queryKey: [key] })
    },
  })
  const toggle = (host: string): void =>
    setChosen((before) => new Set(before.has(host) ? [...before].filter((one) => one !== host) : [...before, host]))
  const isOpen = items.some(({ domain_id }) => domain_id === null)
  return (
    <>
      <table className="table blocks">
        <thead>
          <tr>
            <th scope="col">{t('hostName')}</th>
            <th scope="col">{t('hostSeen')}</th>
            <th scope="col">{t('hostAnswer')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <tr key={one.host}>
              <td>
                {one.domain_id !== null ? (
                  <Link className="mono" to={`/domains/${one.domain_id}`}>
                    {one.host}
                  </Link>
                ) : may ? (
                  <Checkbox
                    classNames={{ label: 'mono' }}
                    checked={chosen.has(one.host)}
                    onChange={() => toggle(one.host)}
                    label={one.host}
                    aria-label={t('hostChosen', { host: one.host })}
                  />
                ) : (
                  <span className="mono">{one.host}</span>
                )}
              </td>
              <td className="small">{one.sources.map((source) => t(`hostSource_${source}`)).join(', ')}</td>
              <td className="small mono">{one.answer.slice(0, 3).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {may && isOpen ? (
        <div className="row">
          <Button
            disabled={chosen.size === 0}
            loading={register.isPending}
            onClick={() => register.mutate([...chosen])}
          >
            {t('registerHosts', { n: chosen.size })}
          </Button>
          <span aria-live="polite" className="small quiet">
            {register.data === undefined ? '' : t('registeredHosts', { ...register.data.counts })}
          </span>
        </div>
      ) : null}
      <FailureLine error={register.error} />
    </>
  )
}

export default Hosts
