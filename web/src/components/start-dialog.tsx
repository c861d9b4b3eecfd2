import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Domain } from '../../../src/contract/domain.ts'
import type { RunCreated, SiteContext } from '../../../src/contract/run.ts'
import { isOffered, type RunSwitches, runSwitches, SWITCH_DEFAULTS } from '../../../src/contract/run-switches.ts'
import { client } from '../client.ts'
import { date, number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { domainsQuery, identitiesQuery, organisationQuery } from '../queries.ts'
import { useSentForm } from '../use-sent-form.tsx'
import { CONTEXTS } from '../words.ts'
import { Dialog } from './dialog.tsx'
import { FailureLine } from './failure.tsx'
import { Ghosts } from './ghost.tsx'
import { LoginFields, loginOf, NO_LOGIN } from './login-fields.tsx'
import { isVerified } from './verified.ts'

interface StartDialogProps {
  readonly domainId: string | null
  readonly active: boolean
  readonly close: () => void
}

const FIRST = {
  ...{ ...SWITCH_DEFAULTS, ...NO_LOGIN, identity: '', others: [] as string[], context: '' as SiteContext | '' },
  /** Empty: as the service has it. */
  writes_per_form: '',
}
type Choice = typeof FIRST & { readonly domain_id: string; readonly active: boolean }

/** What of it holds: the domain allows not all, and a passive run has not every switch. */
const settle = (choice: Choice, domains: readonly Domain[]) => {
  const domain = domains.find(({ id }) => id === choice.domain_id)
  const isOwned = domain !== undefined && isVerified(domain)
  const isActive = choice.active && isOwned
  const switches = Object.fromEntries(
    runSwitches.map(([name]) => [name, choice[name] && isOffered(name, { ...choice, active: isActive })]),
  ) as RunSwitches
  const mayWrite = isActive && domain.environment === 'test' && !switches.dry_run
  return { domain, isOwned, isActive, switches, mayWrite, isStored: choice.identity !== '' && isOwned }
}

/** As nobody where nothing is chosen: without a word a run looks as the identity `default`. */
const asWhom = (choice: Choice, isStored: boolean, isActive: boolean) => {
  const others = isActive ? choice.others.filter((one) => one !== choice.identity) : []
  if (isStored) return { identities: [choice.identity, ...others] }
  const given = loginOf(choice)
  return given.auth_cookie === null && given.auth_header === null ? { identities: [] } : given
}

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
  // One press is one run, even when the answer was lost and the press repeated; what is changed is another run.
  const pressed = useRef(crypto.randomUUID())
  const { form, sending, submit } = useSentForm<Choice, RunCreated>({
    mode: 'controlled',
    initialValues: { ...FIRST, domain_id: first ?? domains[0]?.id ?? '', active },
    onValuesChange: () => {
      pressed.current = crypto.randomUUID()
    },
    send: (choice) => {
      const { isActive, switches, mayWrite, isStored } = settle(choice, domains)
      return client.startScan({
        headers: { 'Idempotency-Key': pressed.current },
        body: {
          domain_id: choice.domain_id,
          active: isActive,
          context: choice.context === '' ? null : choice.context,
          ...switches,
          ...(mayWrite && choice.writes_per_form !== '' ? { writes_per_form: Number(choice.writes_per_form) } : {}),
          ...asWhom(choice, isStored, isActive),
        },
      })
    },
    sent: (run) => {
      void queries.invalidateQueries({ queryKey: ['runs'] })
      void queries.invalidateQueries({ queryKey: ['organisation'] })
      close()
      void navigate(`/runs/${run.id}`)
    },
  })
  const { domain, isOwned, isActive, switches, mayWrite, isStored } = settle(form.values, domains)
  const identities = useQuery({ ...identitiesQuery(form.values.domain_id), enabled: isOwned }).data?.items ?? []
  const option = ([name]: (typeof runSwitches)[number]) => (
    <Checkbox
      key={name}
      {...form.getInputProps(name, { type: 'checkbox' })}
      label={t(`option_${name}`)}
      description={t(`option_${name}_hint`)}
      checked={switches[name]}
      disabled={!isOffered(name, { ...switches, active: isActive })}
    />
  )
  return (
    <form className="stack" onSubmit={submit}>
      <NativeSelect
        {...form.getInputProps('domain_id')}
        label={t('domain')}
        data={domains.map((each) => ({ value: each.id, label: each.domain }))}
      />
      <fieldset className="pick">
        <legend>{t('tier')}</legend>
        <Tier name="passive" chosen={!isActive} choose={() => form.setFieldValue('active', false)} />
        <Tier name="active" chosen={isActive} choose={() => form.setFieldValue('active', true)} disabled={!isOwned} />
        {isOwned || domain === undefined ? null : (
          <p className="small">
            {t('activeNeedsProof', { domain: domain.domain })}{' '}
            <Link to={`/domains/${domain.id}`} onClick={close}>
              {t('verifyNow')}
            </Link>
          </p>
        )}
      </fieldset>
      <div className="stack tight options">{runSwitches.map(option)}</div>
      {isOwned && identities.length > 0 ? (
        <AsWhom form={form} names={identities.map(({ name }) => name)} isActive={isActive} />
      ) : null}
      <NativeSelect
        {...form.getInputProps('context')}
        label={t('context')}
        description={t('contextHint')}
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
      {mayWrite ? (
        <TextInput
          {...form.getInputProps('writes_per_form')}
          type="number"
          classNames={{ wrapper: 'narrow' }}
          min={1}
          step={1}
          label={t('writesPerForm')}
          description={t('writesPerFormHint')}
          placeholder="40"
        />
      ) : null}
      {isStored ? null : (
        <details className="more">
          <summary>{t('loggedIn')}</summary>
          <div className="stack">
            <p className="small quiet">{t('loggedInHint')}</p>
            <LoginFields form={form} />
          </div>
        </details>
      )}
      <Cost active={isActive} full={switches.template_full} />
      <FailureLine error={sending.error} />
      <div className="row dialog-foot">
        <Button type="submit" loading={sending.isPending}>
          {isActive ? t('startActive') : t('startPassive')}
        </Button>
        <Button variant="default" onClick={close}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

/** Identities that a run takes beside the one that it scans as. */
const MOST_OTHERS = 9

interface AsWhomProps {
  readonly form: UseFormReturnType<Choice>
  readonly names: readonly string[]
  readonly isActive: boolean
}

const AsWhom = ({ form, names, isActive }: AsWhomProps) => {
  const { t } = useText()
  const { identity, others } = form.values
  const further = names.filter((name) => name !== identity)
  return (
    <>
      <NativeSelect
        {...form.getInputProps('identity')}
        label={t('identity')}
        description={t('identityHint')}
        data={[{ value: '', label: t('nobody') }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      {isActive && identity !== '' && further.length > 0 ? (
        <Checkbox.Group
          {...form.getInputProps('others')}
          value={others.filter((name) => further.includes(name))}
          label={t('identityOthers')}
          description={t('identityOthersHint')}
          maxSelectedValues={MOST_OTHERS}
        >
          {further.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </Checkbox.Group>
      ) : null}
    </>
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
