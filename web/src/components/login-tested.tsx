/** What a test of the stored login came to: the page without it beside the page with it. */
import type { LoginLook, LoginTest } from '../../../src/contract/domain-login.ts'
import { useText } from '../i18n/text.tsx'
import { When } from './when.tsx'

const TONE = {
  waiting: '',
  running: '',
  works: 'good',
  no_difference: 'bad',
  rejected: 'bad',
  not_tested: '',
} as const satisfies Record<LoginTest['state'], string>

export const LoginTested = ({
  test,
  pictureAt,
}: {
  readonly test: LoginTest
  /** Address of the picture of a step. */
  readonly pictureAt?: (step: number) => string
}) => {
  const { t } = useText()
  return (
    <div className="stack tight login-test">
      <p className="row">
        <span className={`tag ${TONE[test.state]}`}>{t(`login_${test.state}`)}</span>
        {test.finished_at === null ? null : (
          <span className="quiet small">
            <When iso={test.finished_at} />
          </span>
        )}
      </p>
      {test.reason === null ? null : (
        <p className="break" lang="en">
          {test.reason}
        </p>
      )}
      {test.steps.length === 0 ? null : <Steps steps={test.steps} {...(pictureAt ? { pictureAt } : {})} />}
      {test.without === null || test.with === null ? null : (
        <table className="table blocks small">
          <caption className="hidden">{t('login')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('look')}</th>
              <th scope="col">{t('answer')}</th>
              <th scope="col">{t('endedAt')}</th>
              <th scope="col">{t('pageTitle')}</th>
            </tr>
          </thead>
          <tbody>
            <Look name={t('withoutLogin')} look={test.without} />
            <Look name={t('withLogin')} look={test.with} />
          </tbody>
        </table>
      )}
    </div>
  )
}

interface StepsProps {
  readonly steps: LoginTest['steps']
  readonly pictureAt?: (step: number) => string
}

/** The one that failed is said first, and its picture lies open. */
const Steps = ({ steps, pictureAt }: StepsProps) => {
  const { t } = useText()
  const failed = steps.findIndex(({ ok }) => !ok)
  const step = steps[failed]
  return (
    <>
      {step === undefined ? null : <p className="break">{t('stepFailedAt', { n: failed + 1, step: step.title })}</p>}
      <ol className="small login-steps">
        {steps.map(({ title, ok, detail, picture }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have their place alone, and never move
          <li key={n} className="break">
            <span lang="en">{title}</span>{' '}
            <span className={`tag ${ok ? 'good' : 'bad'}`}>{t(ok ? 'stepDone' : 'stepFailed')}</span>{' '}
            <span lang="en">{detail}</span>
            {picture && pictureAt ? (
              <details className="more" open={!ok}>
                <summary>{t('stepPicture')}</summary>
                <img className="shot" src={pictureAt(n)} alt={t('stepPictureOf', { step: title })} loading="lazy" />
              </details>
            ) : null}
          </li>
        ))}
      </ol>
    </>
  )
}

const Look = ({ name, look }: { readonly name: string; readonly look: LoginLook }) => {
  const { t } = useText()
  return (
    <tr>
      <td>{name}</td>
      <td className="num" data-label={t('answer')}>
        {look.status}
      </td>
      <td className="mono break" data-label={t('endedAt')}>
        {look.url}
      </td>
      <td className="break" data-label={t('pageTitle')}>
        {look.title ?? '–'}
      </td>
    </tr>
  )
}
