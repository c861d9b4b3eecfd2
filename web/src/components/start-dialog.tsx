import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Domain } from '../../../src/contract/domain.ts'
import type { SiteContext } from '../../../src/contract/run.ts'
import { type RunSwitches, runSwitches, SWITCH_DEFAULTS } from '../../../src/contract/run-switches.ts'
import { client } from '../client.ts'
import { date, number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { domainsQuery, organisationQuery } from '../queries.ts'
import { CONTEXTS } from '../words.ts'
import { Dialog } from './dialog.tsx'
import { FailureLine } from './failure.tsx'
import { Ghosts } from './ghost.tsx'
import { LoginFields } from './login-fields.tsx'
import { isVerified } from './verified.ts'

interface StartDialogProps {
  readonly domainId: string | null
  readonly active: boolean
  readonly close: () => void
}

interface Choice extends RunSwitches {
  readonly active: boolean
  readonly context: SiteContext | null
  readonly auth_cookie: string
  readonly auth_header: string
  readonly auth_stored: boolean
}

/** Those that a passive run does not have are off in one. */
const switchesIn = (choice: Choice, isActive: boolean): RunSwitches =>
  Object.fromEntries(
    runSwitches.map(([name, { inPassive }]) => [name, choice[name] && (inPassive === undefined || isActive)]),
  ) as RunSwitches

const StartDialog = ({ domainId, active, close }: StartDialogProps) => {
  const { t } = useText()
  const domains = useQuery(domainsQuery)
  const body =
    domains.data === undefined ? (
      domains.error ? (
        <FailureLine error={domains.error} />
      ) : (
        <Ghosts rows={4} />
      )
    ) : domains.data.length === 0 ? (
      <div className="stack">
        <p>{t('noDomainsYet')}</p>
        <Link to="/domains" onClick={close}>
          {t('addDomain')}
        </Link>
      </div>
    ) : (
      <StartForm domains={domains.data} first={domainId} active={active} close={close} />
    )
  return (
    <Dialog title={t('startRun')} close={close}>
      {body}
    </Dialog>
  )
}

interface StartFormProps {
  readonly domains: readonly Domain[]
  readonly first: string | null
  readonly active: boolean
  readonly close: () => void
}

const StartForm = ({ domains, first, active, close }: StartFormProps) => {
  const { t } = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [domainId, setDomainId] = useState(first ?? domains[0]?.id ?? '')
  const domain = domains.find(({ id }) => id === domainId)
  const verified = domain !== undefined && isVerified(domain)
  const [choice, setChoice] = useState<Choice>({
    ...SWITCH_DEFAULTS,
    ...{ active, context: null, auth_cookie: '', auth_header: '', auth_stored: false },
  })
  const change = (part: Partial<Choice>): void => setChoice((before) => ({ ...before, ...part }))
  const isActive = choice.active && verified
  const switches = switchesIn(choice, isActive)
  const hasLogin = verified && domain.login !== null
  const isStored = choice.auth_stored && hasLogin
  // One press is one run, even when the answer was lost and the press repeated.
  const pressed = useRef(crypto.randomUUID())
  const start = useMutation({
    mutationFn: () =>
      client.startScan({
        headers: { 'Idempotency-Key': pressed.current },
        body: {
          ...choice,
          domain_id: domainId,
          active: isActive,
          ...switches,
          auth_stored: isStored,
          auth_cookie: isStored ? null : choice.auth_cookie.trim() || null,
          auth_header: isStored ? null : choice.auth_header.trim() || null,
        },
      }),
    onSuccess: (run) => {
      void queries.invalidateQueries({ queryKey: ['runs'] })
      void queries.invalidateQueries({ queryKey: ['organisation'] })
      close()
      void navigate(`/runs/${run.id}`)
    },
    onError: () => {
      // Another body under the same key would be refused: what is changed now is another run.
      pressed.current = crypto.randomUUID()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    start.mutate()
  }
  const option = ([name, { inPassive }]: (typeof runSwitches)[number]) => (
    <Checkbox
      key={name}
      label={t(`option_${name}`)}
      description={t(`option_${name}_hint`)}
      checked={switches[name]}
      disabled={inPassive !== undefined && !isActive}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  )
  return (
    <form className="stack" onSubmit={submit}>
      <NativeSelect
        label={t('domain')}
        value={domainId}
        onChange={(event) => setDomainId(event.currentTarget.value)}
        data={domains.map((each) => ({ value: each.id, label: each.domain }))}
      />
      <fieldset className="pick">
        <legend>{t('tier')}</legend>
        <Tier name="passive" chosen={!isActive} choose={() => change({ active: false })} />
        <Tier name="active" chosen={isActive} choose={() => change({ active: true })} disabled={!verified} />
        {verified || domain === undefined ? null : (
          <p className="small">
            {t('activeNeedsProof', { domain: domain.domain })}{' '}
            <Link to={`/domains/${domain.id}`} onClick={close}>
              {t('verifyNow')}
            </Link>
          </p>
        )}
      </fieldset>
      <div className="stack tight options">
        {runSwitches.map(option)}
        {hasLogin ? (
          <Checkbox
            label={t('storedLogin')}
            description={t('storedLoginHint')}
            checked={choice.auth_stored}
            onChange={(event) => change({ auth_stored: event.currentTarget.checked })}
          />
        ) : null}
      </div>
      <NativeSelect
        label={t('context')}
        description={t('contextHint')}
        value={choice.context ?? ''}
        onChange={(event) => change({ context: CONTEXTS.find((one) => one === event.currentTarget.value) ?? null })}
        data={[
          {
            value: '',
            label: t('contextOfDomain', {
              context: domain?.context ? t(`context_${domain.context}`) : t('contextNone'),
            }),
          },
          ...CONTEXTS.map((one) => ({ value: one, label: t(`context_${one}`) })),
        ]}
      />
      {isStored ? null : (
        <details className="more">
          <summary>{t('loggedIn')}</summary>
          <div className="stack">
            <p className="small quiet">{t('loggedInHint')}</p>
            <LoginFields
              cookie={choice.auth_cookie}
              header={choice.auth_header}
              change={({ cookie, header }) => change({ auth_cookie: cookie, auth_header: header })}
            />
          </div>
        </details>
      )}
      <Cost active={isActive} full={switches.template_full} />
      <FailureLine error={start.error} />
      <div className="row dialog-foot">
        <Button type="submit" loading={start.isPending}>
          {isActive ? t('startActive') : t('startPassive')}
        </Button>
        <Button variant="default" onClick={close}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

interface TierProps {
  readonly name: 'passive' | 'active'
  readonly chosen: boolean
  readonly choose: () => void
  readonly disabled?: boolean
}

const Tier = ({ name, chosen, choose, disabled = false }: TierProps) => {
  const { t } = useText()
  return (
    <label className="pick-one">
      <input type="radio" name="tier" checked={chosen} disabled={disabled} onChange={choose} />
      <span>
        <strong>{t(`tier_${name}`)}</strong>
        <span className="small">{t(`tier_${name}_hint`)}</span>
      </span>
    </label>
  )
}

/** What it will take: time, requests to the site, and one run of the month. */
const Cost = ({ active, full }: { readonly active: boolean; readonly full: boolean }) => {
  const { t, language } = useText()
  const organisation = useQuery(organisationQuery)
  const { usage, plan } = organisation.data ?? {}
  return (
    <dl className="cost">
      <div>
        <dt>{t('costTime')}</dt>
        <dd>{full ? t('costTimeFull') : active ? t('costTimeActive') : t('costTimePassive')}</dd>
      </div>
      <div>
        <dt>{t('costRequests')}</dt>
        <dd>{active ? t('costRequestsActive') : t('costRequestsPassive')}</dd>
      </div>
      <div>
        <dt>{t('costQuota')}</dt>
        <dd>
          {usage === undefined || plan === undefined
            ? '…'
            : usage.left === null
              ? t('quotaUnlimited')
              : t('quotaLeft', {
                  n: usage.left,
                  left: number(usage.left, language),
                  all: number(plan.runs_per_month ?? 0, language),
                  day: date(usage.to, language),
                })}
        </dd>
      </div>
    </dl>
  )
}

export default StartDialog
