/** A field of words to search for: asks once the reader pauses. */
import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useT } from '../i18n/text.tsx'

interface WordsFieldProps {
  readonly hint: string
  readonly value: string
  readonly set: (value: string) => void
}

export const WordsField = ({ hint, value, set }: WordsFieldProps) => {
  const t = useT()
  const [text, setText] = useState(value)
  // The address changed by other means: a link, or the browser's way back.
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => set(text.trim()), 300)
    return () => clearTimeout(timer)
  }, [text, value, set])
  return (
    <TextInput
      type="search"
      label={t('search')}
      placeholder={hint}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}
