/** The button that opens the start dialog; the dialog itself is loaded with the first press. */
import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useT } from '../i18n/text.tsx'
import { useMay } from '../session.tsx'

const StartDialog = lazy(() => import('./start-dialog.tsx'))

interface StartRunButtonProps {
  /** Chosen already when the dialog opens. */
  readonly domainId?: string
  readonly label?: string
  readonly active?: boolean
  readonly variant?: 'filled' | 'default'
}

export const StartRunButton = ({ domainId, label, active = false, variant = 'filled' }: StartRunButtonProps) => {
  const t = useT()
  const may = useMay('scans:write')
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        {label ?? t('startRun')}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <StartDialog domainId={domainId ?? null} active={active} close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
