/** What was changed last about findings, and the way back. */

import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ChangeFields, DomainFinding } from '../../../../src/contract/domain-finding.ts'
import { client } from '../../client.ts'
import { useText } from '../../i18n/text.tsx'
import { changedBy, type SentChange, takingBack } from '../../problem-changes.ts'
import { inLanguage } from '../../reading.ts'
import { useSession } from '../../session.tsx'
import { explain } from '../failure.tsx'
import { useChanged, useShown } from './changed.ts'
import { useRowKeys } from './use-row-keys.ts'

const ChangeDialog = lazy(() => import('./change-dialog.tsx'))

/** As the service takes them at once. */
const AT_ONCE = 500

type LastChange =
  | { readonly kind: 'done'; readonly sent: SentChange; readonly sending: Promise<unknown> }
  | { readonly kind: 'taken_back'; readonly count: number }
  | { readonly kind: 'not_sent' | 'not_taken_back'; readonly sent: SentChange; readonly error: unknown }
  | { readonly kind: 'none' }

const LAST = ['last-change'] as const
const NONE: LastChange = { kind: 'none' }

const useLast = (): readonly [LastChange, (change: LastChange) => void] => {
  const queries = useQueryClient()
  const { data = NONE } = useQuery<LastChange>({
    ...{ queryKey: LAST, queryFn: () => NONE, initialData: NONE, staleTime: Number.POSITIVE_INFINITY },
    gcTime: Number.POSITIVE_INFINITY,
    // A promise is in it: it is what it is, and not to be compared.
    structuralSharing: false,
  })
  return [data, (change) => void queries.setQueryData<LastChange>(LAST, change)]
}

/**
 * Shows the change and says it, and only then tells the service. What that refuses is as it was, and said with the way to it; a
 * comment alone stays said, and offers no way back.
 */
export const useSendChange = (): ((sent: SentChange) => void) => {
  const queries = useQueryClient()
  const { actor } = useSession()
  const show = useShown()
  const changed = useChanged()
  const [, say] = useLast()
  return (sent) => {
    const now = new Date().toISOString()
    show(sent.findings.map((one) => changedBy(one, sent.change, actor.name, now)))
    const sending = sendChange(sent).then(changed, (error: unknown) => {
      show(sent.findings)
      say({ kind: 'not_sent', sent, error })
      // What was shown no longer is in its place again; of many, some may have been changed.
      return queries.invalidateQueries({ queryKey: ['problems'] })
    })
    say(canTakeBack(sent.change) ? { kind: 'done', sent, sending } : NONE)
  }
}

const canTakeBack = ({ state, severity, assignee, due }: ChangeFields): boolean =>
  [state, severity, assignee, due].some((one) => one !== undefined)

const sendChange = async ({ findings, change }: SentChange): Promise<readonly DomainFinding[]> => {
  const [first] = findings
  if (findings.length === 1 && first) {
    const { domain_id: id, fingerprint } = first
    return [await client.changeDomainFinding({ params: { id, fingerprint }, query: inLanguage(), body: change })]
  }
  const changed: DomainFinding[] = []
  for (let from = 0; from < findings.length; from += AT_ONCE) {
    const part = findings.slice(from, from + AT_ONCE).map(({ domain_id, fingerprint }) => ({ domain_id, fingerprint }))
    changed.push(
      ...(await client.changeDomainFindings({ query: inLanguage(), body: { ...change, findings: part } })).items,
    )
  }
  return changed
}

/** Stays until it is put away or something else is changed. What is taken back shows so while the service is told. */
export const LastChangeBar = () => {
  const words = useText()
  const { t } = words
  const queries = useQueryClient()
  const [last, say] = useLast()
  const [again, setAgain] = useState<SentChange | null>(null)
  const changed = useChanged()
  const show = useShown()
  const send = useSendChange()
  const takeBack = async (sent: SentChange, sending: Promise<unknown> = Promise.resolve()): Promise<void> => {
    say({ kind: 'taken_back', count: sent.findings.length })
    show(sent.findings)
    // One after the other: what is taken back has to be there first.
    await sending
    try {
      for (const one of takingBack(sent)) changed(await sendChange(one))
    } catch (error) {
      say({ kind: 'not_taken_back', sent, error })
    }
    // Lists that no longer had them have them again, in their place.
    await queries.invalidateQueries({ queryKey: ['problems'] })
  }
  useRowKeys(last.kind === 'done' ? { u: () => void takeBack(last.sent, last.sending) } : {})
  return (
    <div role="status">
      {last.kind === 'none' ? null : (
        <div className="last-change">
          {last.kind === 'done' ? (
            <>
              <span>{t('changedCount', { n: last.sent.findings.length })}</span>
              <BarButton click={() => void takeBack(last.sent, last.sending)}>
                {t('undo')} <kbd>u</kbd>
              </BarButton>
            </>
          ) : last.kind === 'taken_back' ? (
            <span>{t('changedBack', { n: last.count })}</span>
          ) : (
            <>
              <Refused what={last.kind === 'not_sent' ? t('notSent') : t('notChanged')} error={last.error} />
              <BarButton click={() => (last.kind === 'not_sent' ? send(last.sent) : void takeBack(last.sent))}>
                {t('tryAgain')}
              </BarButton>
              {last.kind === 'not_sent' ? (
                <BarButton click={() => setAgain(last.sent)}>{t('changeAgain')}</BarButton>
              ) : null}
            </>
          )}
          <Button size="compact-sm" variant="transparent" c="inherit" onClick={() => say(NONE)}>
            {t('close')}
          </Button>
        </div>
      )}
      {again === null ? null : (
        <Suspense>
          <ChangeDialog findings={again.findings} begun={again.change} close={() => setAgain(null)} />
        </Suspense>
      )}
    </div>
  )
}

const BarButton = ({ click, children }: { readonly click: () => void; readonly children: ReactNode }) => (
  <Button size="compact-sm" variant="white" onClick={click}>
    {children}
  </Button>
)

const Refused = ({ what, error }: { readonly what: string; readonly error: unknown }) => {
  const { title, text } = explain(error, useText())
  return (
    <span className="break">
      <strong>{what}</strong> {title} {text}
    </span>
  )
}
