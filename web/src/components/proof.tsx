/** What a finding says, and what shows it: for the page of the finding and for that of its problem. */
import type { Finding as FindingData } from '../../../src/contract/finding.ts'
import { useText } from '../i18n/text.tsx'
import { placeText } from '../place-text.ts'
import { Code, Marked } from './copy.tsx'
import { Evidence } from './evidence.tsx'
import { Prose } from './prose.tsx'

/** Places shown before the rest is folded away. */
const PLACES = 8

export const Story = ({ finding }: { readonly finding: FindingData }) => {
  const { t } = useText()
  const [first, rest] = [finding.places.slice(0, PLACES), finding.places.slice(PLACES)]
  return (
    <>
      <section className="prose" aria-labelledby="what">
        <h2 id="what">{t('whatSeen')}</h2>
        <Prose text={finding.detail} lang="en" />
      </section>
      <section className="prose" aria-labelledby="why">
        <h2 id="why">{t('why')}</h2>
        <Prose text={finding.description} />
      </section>
      <section className="prose fix" aria-labelledby="fix">
        <h2 id="fix">{t('fix')}</h2>
        <Prose text={finding.remediation} />
      </section>
      <section aria-labelledby="where">
        <h2 id="where">{t('where')}</h2>
        <ul className="places mono">
          {first.map((place) => (
            <li key={placeText(place)} className="break">
              {placeText(place)}
            </li>
          ))}
        </ul>
        {rest.length === 0 ? null : (
          <details className="more">
            <summary>{t('morePlaces', { n: rest.length })}</summary>
            <ul className="places mono">
              {rest.map((place) => (
                <li key={placeText(place)} className="break">
                  {placeText(place)}
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
    </>
  )
}

export const Proof = ({ finding, run }: { readonly finding: FindingData; readonly run: string }) => {
  const { t } = useText()
  const { proof, evidence } = finding
  return (
    <section className="stack" aria-labelledby="proof">
      <div>
        <h2 id="proof">{t('proof')}</h2>
        <p className="quiet small">{t(`confidence_${finding.confidence}_hint`)}</p>
      </div>
      {proof === null && evidence.length === 0 ? <p>{t('noProof')}</p> : null}
      {proof === null ? null : (
        <Code title={t('excerpt')} text={proof.excerpt}>
          <Marked text={proof.excerpt} mark={proof.mark} />
        </Code>
      )}
      {proof?.replay ? <Code title={t('replay')} text={proof.replay} /> : null}
      <Evidence run={run} ids={evidence} mark={proof?.mark ?? null} />
    </section>
  )
}
