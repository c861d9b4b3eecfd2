/** What was changed last about findings, and the way back. */

import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangeFields, DomainFinding } from '../../../../src/contract/domain-finding.ts'
import { client } from '../../client.ts'
import { useText } from '../../i18n/text.tsx'
import { type SentChange, takingBack } from '../../problem-changes.ts'
import { inLanguage } from '../../reading.ts'
import { explain } from '../failure.tsx'
import { useChanged } from './changed.ts'
import { useRowKeys } from './use-row-keys.ts'

/** As the service takes them at once. */
const AT_ONCE = 500

type LastChange =
  | { readonly kind: 'done'; readonly sent: SentChange }
  | { readonly kind: 'taken_back'; readonly count: number }
  | { readonly kind: 'failed'; readonly sent: SentChange; readonly error: unknown }
  | { readonly kind: 'none' }

const LAST = ['last-change'] as const
const NONE: LastChange = { kind: 'none' }

const useLast = (): readonly [LastChange, (change: LastChange) => void] => {
  const queries = useQueryClient()
  const { data = NONE } = useQuery<LastChange>({
    ...{ queryKey: LAST, queryFn: () => NONE, initialData: NONE, staleTime: Number.POSITIVE_INFINITY },
    gcTime: Number.POSITIVE_INFINITY,
  })
  return [data, (change) => void queries.setQueryData<LastChange>(LAST, change)]
}

/** Says what was changed; a comment stays said, and offers no way back. */
export const useSayChanged = (): ((sent: SentChange) => void) => {
  const [, say] = useLast()
  return (sent) => say(canTakeBack(sent.change) ? { kind: 'done', sent } : NONE)
}

const canTakeBack = ({ state, severity, assignee, due }: ChangeFields): boolean =>
  [state, severity, assignee, due].some((one) => one !== undefined)

export const sendChange = async ({ findings, change }: SentChange): Promise<readonly DomainFinding[]> => {
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
  const { t } = useText()
  const queries = useQueryClient()
  const [last, say] = useLast()
  const changed = useChanged()
  const takeBack = async (sent: SentChange): Promise<void> => {
    say({ kind: 'taken_back', count: sent.findings.length })
    changed(sent.findings)
    try {
      for (const one of takingBack(sent)) changed(await sendChange(one))
    } catch (error) {
      say({ kind: 'failed', sent, error })
    }
    // Lists that no longer had them have them again, in their place.
    await queries.invalidateQueries({ queryKey: ['problems'] })
  }
  useRowKeys(last.kind === 'done' ? { u: () => void takeBack(last.sent) } : {})
  const failure = last.kind === 'failed' ? explain(last.error, t) : null
  return (
    <div role="status">
      {last.kind === 'none' ? null : (
        <div className="last-change">
          {last.kind === 'done' ? (
            <>
              <span>{t('changedCount', { n: last.sent.findings.length })}</span>
              <Button size="compact-sm" variant="white" onClick={() => void takeBack(last.sent)}>
                {t('undo')} <kbd>u</kbd>
              </Button>
            </>
          ) : last.kind === 'taken_back' ? (
            <span>{t('changedBack', { n: last.count })}</span>
          ) : (
            <>
              <span className="break">
                <strong>{t('notChanged')}</strong> {failure?.title} {failure?.text}
              </span>
              <Button size="compact-sm" variant="white" onClick={() => void takeBack(last.sent)}>
                {t('tryAgain')}
              </Button>
            </>
          )}
          <Button size="compact-sm" variant="transparent" c="inherit" onClick={() => say(NONE)}>
            {t('close')}
          </Button>
        </div>
      )}
    </div>
  )
}
