/** An error for a person: what happened, whose turn it is, and a way on. Never a dead end. */
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { ApiError, ConnectionError } from '../../../src/contract/client-core.ts'
import { type Text, useT, useText } from '../i18n/text.tsx'
import { Page } from './page.tsx'

interface FailureProps {
  readonly error: unknown
  readonly retry?: () => void
}

/** In the place of a part of a page. */
export const Failure = ({ error, retry }: FailureProps) => {
  const words = useText()
  const { t } = words
  const { title, text } = explain(error, words)
  return (
    <div className="card">
      <div className="empty" role="alert">
        <h2>{title}</h2>
        <Reason error={error} text={text} />
        {retry === undefined ? null : (
          <Button variant="default" onClick={retry}>
            {t('tryAgain')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** In the place of a whole page. */
export const FailurePage = ({ error, retry }: FailureProps) => {
  const words = useText()
  const { t } = words
  const { title, text } = explain(error, words)
  return (
    <Page title={title}>
      <div className="card">
        <div className="empty" role="alert">
          <Reason error={error} text={text} />
          <div className="row">
            {retry === undefined ? null : (
              <Button variant="default" onClick={retry}>
                {t('tryAgain')}
              </Button>
            )}
            <Link to="/">{t('toOverview')}</Link>
          </div>
        </div>
      </div>
    </Page>
  )
}

const Reason = ({ error, text }: { readonly error: unknown; readonly text: string }) => {
  const t = useT()
  return (
    <>
      <p className="break">{text}</p>
      {error instanceof ApiError && error.status >= 500 ? (
        <p className="small">
          {t('requestId')} <code>{error.problem.request_id}</code>
        </p>
      ) : null}
    </>
  )
}

/** The same in one line, beside the thing that failed. */
export const FailureLine = ({ error }: { readonly error: unknown }) => {
  const words = useText()
  if (error === null || error === undefined) return null
  const { title, text } = explain(error, words)
  return (
    <div className="notice bad break" role="alert">
      <p>
        <strong>{title}</strong> {text}
      </p>
    </div>
  )
}

export const explain = (
  error: unknown,
  { t, said }: Pick<Text, 't' | 'said'>,
): { readonly title: string; readonly text: string } => {
  if (error instanceof ConnectionError) return { title: t('offlineTitle'), text: t('offlineText') }
  if (!(error instanceof ApiError)) return { title: t('brokenTitle'), text: t('brokenText') }
  const { code, detail, errors = [] } = error.problem
  const text = [said(detail), ...errors.map(({ path, message }) => `${path}: ${said(upper(message))}.`)].join(' ')
  if (code === 'api_key_scope_insufficient')
    return { title: t('forbiddenTitle'), text: `${t('forbiddenText')} ${text}` }
  if (code === 'rate_limited') return { title: t('slowTitle'), text: t('slowText', { n: error.retryAfter ?? 60 }) }
  if (error.status === 404) return { title: t('missingTitle'), text: t('missingText') }
  if (error.status >= 500) return { title: t('brokenTitle'), text: t('ourFault') }
  return { title: said(error.problem.title), text }
}

const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
