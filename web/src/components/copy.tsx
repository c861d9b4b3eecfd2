/** Text to take along: shown whole, copied with one press. */
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../i18n/text.tsx'

/** Milliseconds that "Copied" stays. */
const SHOWN = 2_000

export const CopyButton = ({ text, label }: { readonly text: string; readonly label?: string }) => {
  const t = useT()
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), SHOWN)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={copy}
        {...(label ? { 'aria-label': `${t('copy')}: ${label}` } : {})}
      >
        {state === 'copied' ? t('copied') : state === 'refused' ? t('copyRefused') : t('copy')}
      </Button>
      <span className="hidden" aria-live="polite">
        {state === 'copied' ? t('copied') : ''}
      </span>
    </>
  )
}

interface CodeProps {
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}

/** `children` is the text with parts of it marked; what is copied is `text`. */
export const Code = ({ title, text, children }: CodeProps) => (
  <figure className="code">
    <figcaption className="code-head">
      {title}
      <CopyButton text={text} label={title} />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard (WCAG 2.1.1) */}
    <pre tabIndex={0} lang="en">
      {children ?? text}
    </pre>
  </figure>
)

/** The text with every occurrence of `mark` marked. */
export const Marked = ({ text, mark }: { readonly text: string; readonly mark: string | null }) => {
  if (mark === null || mark === '') return text
  const parts = text.split(mark)
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name, and never move
    <span key={index}>
      {part}
      {index < parts.length - 1 ? <mark>{mark}</mark> : null}
    </span>
  ))
}
