/** A comment in which people are named: who begins a name after "@" is shown whom it may mean. */
import { Textarea, type TextareaProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useT } from '../../i18n/text.tsx'
import { type Mention, mentionAt, suggested, withMention } from '../../mention.ts'
import { membersQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'

export const CommentField = (props: TextareaProps) => {
  const t = useT()
  const list = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const members = useQuery({ ...membersQuery, enabled: useMay('organisation:read') })
  const [begun, setBegun] = useState<Mention | null>(null)
  const [at, setAt] = useState(0)
  const people = members.data?.items.map(({ name }) => name) ?? []
  const names = begun === null ? [] : suggested(people, begun.words)
  const chosen = Math.min(at, names.length - 1)
  const look = (): void => {
    const { value = '', selectionEnd = 0 } = field.current ?? {}
    setBegun(mentionAt(value, selectionEnd))
    setAt(0)
  }
  const take = (name: string | undefined): void => {
    if (field.current === null || begun === null || name === undefined) return
    const next = withMention(field.current.value, field.current.selectionEnd, begun, name)
    write(field.current, next.text)
    field.current.focus()
    field.current.setSelectionRange(next.caret, next.caret)
    setBegun(null)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (names.length === 0) return
    if (event.key === 'ArrowDown') setAt((chosen + 1) % names.length)
    else if (event.key === 'ArrowUp') setAt((chosen + names.length - 1) % names.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(names[chosen])
    else if (event.key === 'Escape') setBegun(null)
    else return
    // Of the list alone: not of the form, and not of the dialog around it.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="comment-field">
      <Textarea
        {...props}
        ref={field}
        label={t('comment')}
        description={t('mentionHint')}
        autosize
        aria-autocomplete="list"
        aria-controls={names.length > 0 ? list : undefined}
        aria-activedescendant={names.length > 0 ? `${list}-${chosen}` : undefined}
        onInput={look}
        onClick={look}
        onBlur={() => setBegun(null)}
        onKeyDown={onKey}
      />
      {names.length === 0 ? null : (
        <div id={list} className="suggestions" role="listbox" aria-label={t('members')}>
          {names.map((name, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the field, which keeps the focus
            <div
              key={name}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === chosen}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(name)}
            >
              {name}
            </div>
          ))}
        </div>
      )}
      <span role="status" className="hidden">
        {names.length === 0 ? '' : names.join(', ')}
      </span>
    </div>
  )
}

/** As if it were typed, so that the form has it, too. */
const write = (element: HTMLTextAreaElement, text: string): void => {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(element, text)
  element.dispatchEvent(new Event('input', { bubbles: true }))
}
