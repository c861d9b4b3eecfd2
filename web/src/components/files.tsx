import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Artifact } from '../../../src/contract/artifact.ts'
import type { RunState } from '../../../src/contract/run.ts'
import { download } from '../download.ts'
import { bytes, date } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { artifactsQuery } from '../queries.ts'
import { KINDS } from '../words.ts'
import { Failure, FailureLine } from './failure.tsx'
import { Ghosts } from './ghost.tsx'
import { SignedBy } from './signed-by.tsx'

const FilesPart = ({ run }: { readonly run: RunState }) => {
  const { t } = useText()
  const files = useQuery(artifactsQuery(run.id))
  if (files.data === undefined) {
    return files.error ? <Failure error={files.error} retry={() => void files.refetch()} /> : <Ghosts />
  }
  const rank = ({ kind, filename }: Artifact): number => KINDS.indexOf(kind) * 2 + (filename === 'evidence.zip' ? 0 : 1)
  const items = files.data.items.toSorted(
    (a, b) => rank(a) - rank(b) || (b.version ?? 0) - (a.version ?? 0) || a.filename.localeCompare(b.filename),
  )
  const main = items.filter(({ kind, filename }) => kind !== 'evidence' || filename === 'evidence.zip')
  const evidence = items.filter((file) => !main.includes(file))
  if (items.length === 0) {
    return (
      <div className="card">
        <div className="empty">
          <h2>{t('noFilesTitle')}</h2>
          <p>{t('noFilesText')}</p>
        </div>
      </div>
    )
  }
  return (
    <div className="stack">
      <SignedBy files={main} />
      <FileTable run={run.id} files={main} title={t('files')} />
      {evidence.length === 0 ? null : (
        <details className="more">
          <summary>{t('evidenceFiles', { n: evidence.length })}</summary>
          <FileTable run={run.id} files={evidence} title={t('evidenceFiles', { n: evidence.length })} />
        </details>
      )}
    </div>
  )
}

interface FileTableProps {
  readonly run: string
  readonly files: readonly Artifact[]
  readonly title: string
}

const FileTable = ({ run, files, title }: FileTableProps) => {
  const { t, language } = useText()
  const take = useMutation({ mutationFn: download.bind(null, run) })
  const versions = files.some(({ version }) => version !== null && version > 1)
  return (
    <div className="stack tight">
      <FailureLine error={take.error} />
      <div className="card">
        <table className="table blocks">
          <caption className="hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('file')}</th>
              <th scope="col">{t('size')}</th>
              <th scope="col">{t('keptUntil')}</th>
              <th scope="col">
                <span className="hidden">{t('download')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <tr key={file.id}>
                <td>
                  <span className="name">{file.filename}</span>{' '}
                  <span className="quiet small">
                    {t(`kind_${file.kind}`)}
                    {file.page_count === null ? '' : `, ${t('pages', { n: file.page_count })}`}
                    {versions && file.version !== null ? `, ${t('reportVersion', { version: file.version })}` : ''}
                  </span>
                </td>
                <td className="fit num quiet">{bytes(file.size_bytes, language)}</td>
                <td className="fit num quiet" data-label={t('keptUntil')}>
                  {file.expires_at === null ? '–' : date(file.expires_at, language)}
                </td>
                <td className="fit right">
                  {file.deleted ? (
                    <span className="quiet">{t('expired')}</span>
                  ) : (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`${t('download')} ${file.filename}`}
                      onClick={() => take.mutate(file)}
                    >
                      {t('download')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

export default FilesPart
