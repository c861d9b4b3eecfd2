/** Three ways to prove that a domain is one's own, each with what to publish and what was seen of it. */
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain, VerificationAttempt, VerificationMethod } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { CopyButton } from './copy.tsx'
import { FailureLine } from './failure.tsx'
import { CheckIcon, CrossIcon } from './icons.tsx'
import { isVerified } from './verified.ts'

const METHODS = ['dns_txt', 'http_file', 'meta_tag'] as const satisfies readonly VerificationMethod[]

/** What to copy, with the name of each piece. */
const piecesOf = ({ dns_txt, http_file, meta_tag }: Domain['verification']) =>
  ({
    dns_txt: [
      ['pieceName', dns_txt.name],
      ['pieceValue', dns_txt.value],
    ],
    http_file: [
      ['pieceAddress', http_file.url],
      ['pieceContent', http_file.content],
    ],
    meta_tag: [
      ['pieceAddress', meta_tag.url],
      ['pieceElement', meta_tag.html],
    ],
  }) as const satisfies Record<VerificationMethod, unknown>

export const Verify = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const verified = isVerified(domain)
  const [method, setMethod] = useState<VerificationMethod>('dns_txt')
  const check = useMutation({
    mutationFn: () => client.verifyDomain({ params: { id: domain.id } }),
    onSuccess: (answer) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, answer.domain)
      void queries.invalidateQueries({ queryKey: ['domains'] })
    },
  })
  const attempts = check.data?.attempts ?? []
  const body = (
    <div className="stack">
      <p className="quiet">{verified ? t('verifyAgainText') : t('verifyText')}</p>
      <fieldset className="pick three">
        <legend className="hidden">{t('verifyWay')}</legend>
        {METHODS.map((one) => (
          <label key={one} className="pick-one">
            <input type="radio" name="way" checked={method === one} onChange={() => setMethod(one)} />
            <span>
              <strong>{t(`way_${one}`)}</strong>
              <span className="small">{t(`way_${one}_hint`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <ol className="way">
        <li>{t(`way_${method}_do`)}</li>
      </ol>
      <dl className="pieces">
        {piecesOf(domain.verification)[method].map(([name, text]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>
              <code className="break">{text}</code>
              <CopyButton text={text} label={t(name)} />
            </dd>
          </div>
        ))}
      </dl>
      {may ? (
        <div className="row">
          <Button loading={check.isPending} onClick={() => check.mutate()}>
            {t('checkNow')}
          </Button>
          <span className="small quiet">{t('checkNowHint')}</span>
        </div>
      ) : null}
      <FailureLine error={check.error} />
      <div aria-live="polite">
        {attempts.length === 0 ? null : (
          <ul className="attempts">
            {attempts.map((attempt) => (
              <Attempt key={attempt.method} attempt={attempt} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
  return verified ? (
    <details className="more card pad">
      <summary>{t('proofOfOwnership')}</summary>
      {body}
    </details>
  ) : (
    <section className="card pad stack tight" aria-labelledby="verify">
      <h2 id="verify">{t('proofOfOwnership')}</h2>
      {body}
    </section>
  )
}

const Attempt = ({ attempt }: { readonly attempt: VerificationAttempt }) => {
  const { t } = useText()
  return (
    <li>
      <span className={`state ${attempt.ok ? 'done' : 'canceled'}`}>
        {attempt.ok ? <CheckIcon /> : <CrossIcon />}
        {t(`way_${attempt.method}`)}
        <span className="hidden">{attempt.ok ? t('holds') : t('holdsNot')}</span>
      </span>
      <span className="break quiet" lang="en">
        {attempt.seen}
      </span>
    </li>
  )
}
