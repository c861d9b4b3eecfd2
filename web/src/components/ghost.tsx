/** What stands in a place while its content is on the way: of the size that it will have. */
import { useT } from '../i18n/text.tsx'

export const Ghost = ({
  width = '100%',
  height = 14,
}: {
  readonly width?: number | string
  readonly height?: number
}) => <div className="ghost" style={{ width, height }} />

export const Ghosts = ({ rows = 6, height = 18 }: { readonly rows?: number; readonly height?: number }) => {
  const t = useT()
  return (
    <div className="stack card pad" role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Ghost key={index} height={height} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </div>
  )
}

export const PageGhost = () => (
  <div className="page">
    <Ghost width={220} height={28} />
    <Ghosts />
  </div>
)

/** While the page's own file is on the way: nothing is known of it yet. */
export const ArrivingPage = () => (
  <div className="arriving">
    <PageGhost />
  </div>
)
