/** Evidence of a finding: requests with their answers as text, screenshots as pictures, anything else to take along. */
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Artifact } from '../../../src/contract/artifact.ts'
import { addressOf, download } from '../download.ts'
import { bytes } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { artifactsQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { Code, Marked } from './copy.tsx'
import { FailureLine } from './failure.tsx'
import { Ghost } from './ghost.tsx'

interface EvidenceProps {
  readonly run: string
  readonly ids: readonly string[]
  readonly mark: string | null
}

export const Evidence = ({ run, ids, mark }: EvidenceProps) => {
  const { t } = useText()
  const may = useMay('artifacts:read')
  const files = useQuery({ ...artifactsQuery(run), enabled: may && ids.length > 0 })
  if (ids.length === 0) return null
  if (!may) return <p className="quiet">{t('evidenceForbidden')}</p>
  const own = ids.map((id) => files.data?.items.find((file) => file.id === id)).filter((file) => file !== undefined)
  return (
    <div className="stack">
      <FailureLine error={files.error} />
      {files.data !== undefined && own.length === 0 ? <p className="quiet">{t('evidenceLater')}</p> : null}
      {own.map((file) => (
        <EvidenceFile key={file.id} run={run} file={file} mark={mark} />
      ))}
    </div>
  )
}

/** Bytes of text that are shown; longer files are for the editor. */
const SHOWN = 200_000

interface FileProps {
  readonly run: string
  readonly file: Artifact
  readonly mark: string | null
}

const EvidenceFile = ({ run, file, mark }: FileProps) => {
  const { t, language } = useText()
  const [open, setOpen] = useState(false)
  const take = useMutation({ mutationFn: download.bind(null, run) })
  const picture = file.content_type.startsWith('image/')
  const readable = !file.deleted && (picture || (file.content_type.startsWith('text/') && file.size_bytes <= SHOWN))
  return (
    <div className="stack tight">
      <div className="row between">
        <span>
          <span className="name">{file.filename}</span>{' '}
          <span className="quiet small num">{bytes(file.size_bytes, language)}</span>
        </span>
        {file.deleted ? (
          <span className="quiet">{t('expired')}</span>
        ) : (
          <span className="row">
            {readable && !picture ? (
              <Button size="compact-sm" variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? t('hideExchange') : t('showExchange')}
              </Button>
            ) : null}
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`${t('download')} ${file.filename}`}
              onClick={() => take.mutate(file)}
            >
              {t('download')}
            </Button>
          </span>
        )}
      </div>
      <FailureLine error={take.error} />
      {picture && !file.deleted ? <Picture run={run} file={file} /> : null}
      {open ? <Exchange run={run} file={file} mark={mark} /> : null}
    </div>
  )
}

const Picture = ({ run, file }: Omit<FileProps, 'mark'>) => {
  const { t } = useText()
  const address = useQuery({ queryKey: ['address', file.id], queryFn: () => addressOf(run, file), staleTime: 200_000 })
  if (address.data === undefined) return address.error ? <FailureLine error={address.error} /> : <Ghost height={180} />
  return <img className="shot" src={address.data} alt={t('screenshot')} loading="lazy" />
}

const Exchange = ({ run, file, mark }: FileProps) => {
  const { t } = useText()
  const text = useQuery({
    queryKey: ['evidence', file.id],
    queryFn: async ({ signal }) => {
      const response = await fetch(await addressOf(run, file), { signal })
      if (!response.ok) throw new Error(`The file answered ${response.status}`)
      return response.text()
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (text.data === undefined) return text.error ? <FailureLine error={text.error} /> : <Ghost height={120} />
  const { about, request, response } = splitExchange(text.data)
  return (
    <div className="stack tight">
      {about === '' ? null : (
        <p className="quiet small" lang="en">
          {about}
        </p>
      )}
      {request === null ? null : (
        <Code title={t('request')} text={request}>
          <Marked text={request} mark={mark} />
        </Code>
      )}
      <Code title={request === null ? file.filename : t('response')} text={response}>
        <Marked text={response} mark={mark} />
      </Code>
    </div>
  )
}

/**
 * Evidence of one exchange is written as remarks (`# …`), the request, and the answer from its status line on. Anything
 * else is shown whole.
 */
export const splitExchange = (text: string): { about: string; request: string | null; response: string } => {
  const answer = /^(?:HTTP\/[\d.]+ \d{3})/m.exec(text)
  if (answer === null) return { about: '', request: null, response: text }
  const before = text.slice(0, answer.index).split('\n')
  const isRemark = (line: string): boolean => line.startsWith('# ')
  const request = before
    .filter((line) => !isRemark(line))
    .join('\n')
    .trim()
  return {
    about: before
      .filter(isRemark)
      .map((line) => line.slice(2))
      .join(' · '),
    request: request === '' ? null : request,
    response: text.slice(answer.index),
  }
}
