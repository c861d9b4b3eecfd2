/** A dialog by the browser's own element: it holds the focus, closes by Escape, and what lies behind is out of reach. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useT } from '../i18n/text.tsx'
import { CrossIcon } from './icons.tsx'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ReactNode
}

/** Open as long as it is drawn. */
export const Dialog = ({ title, close, children }: DialogProps) => {
  const t = useT()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon" aria-label={t('close')} onClick={close}>
          <CrossIcon />
        </button>
      </div>
      {children}
    </dialog>
  )
}
