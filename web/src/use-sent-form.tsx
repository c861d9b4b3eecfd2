/** A form that changes something at the service: what the service refuses is said at the field that it is about. */
import { type FormErrors, type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { SyntheticEvent } from 'react'
import { ApiError } from '../../src/contract/client-core.ts'
import { sortErrors } from './field-errors.ts'
import { type Text, useText } from './i18n/text.tsx'

interface SentFormInput<Values, Answer> extends UseFormInput<Values> {
  readonly initialValues: Values
  readonly send: (values: Values) => Promise<Answer>
  /** Called before the form goes back to its first values: new ones can be set here. */
  readonly sent: (answer: Answer, form: UseFormReturnType<Values>) => unknown
}

interface SentForm<Values, Answer> {
  readonly form: UseFormReturnType<Values>
  /** Its error names only those fields that the form does not show. */
  readonly sending: UseMutationResult<Answer, Error, HTMLFormElement>
  readonly submit: (event: SyntheticEvent<HTMLFormElement>) => void
}

/**
 * Fields have the paths of the request's body, as the service names them when it refuses one. Nothing of what was sent is
 * kept once the service has taken it, nor when the form has gone: there may be secrets in it.
 */
export const useSentForm = <Values extends Record<string, unknown>, Answer>({
  send,
  sent,
  ...input
}: SentFormInput<Values, Answer>): SentForm<Values, Answer> => {
  const { said } = useText()
  const form = useForm<Values>({ mode: 'uncontrolled', ...input })
  const sending = useMutation<Answer, Error, HTMLFormElement>({
    mutationFn: (element) =>
      send(form.getValues()).catch((error: unknown) => {
        throw error instanceof ApiError ? atFields(error, element, form.setErrors, said) : error
      }),
    onSuccess: (answer) => {
      sent(answer, form)
      form.reset()
    },
    gcTime: 0,
  })
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    const element = event.currentTarget
    form.onSubmit(
      () => sending.mutate(element),
      (errors) => goTo(element, Object.keys(errors)),
    )(event)
  }
  return { form, sending, submit }
}

/** Says at the fields what the problem says of them, and is the error with the rest. */
const atFields = (
  error: ApiError,
  element: HTMLFormElement,
  setErrors: (errors: FormErrors) => void,
  said: Text['said'],
): ApiError => {
  const { at, rest } = sortErrors(error.problem.errors ?? [], (path) => fieldOf(element, path) !== undefined, said)
  setErrors(at)
  goTo(element, Object.keys(at))
  return new ApiError({ ...error.problem, errors: [...rest] }, error.retryAfter)
}

const fieldOf = (element: HTMLFormElement, path: string): HTMLElement | undefined =>
  [...element.querySelectorAll<HTMLElement>('[data-path]')].find(({ dataset }) => dataset.path === path)

/** To the first of these fields, also where it is folded away. */
const goTo = (element: HTMLFormElement, [path]: readonly string[]): void => {
  const field = path === undefined ? undefined : fieldOf(element, path)
  field?.closest('details')?.setAttribute('open', '')
  const input = field?.matches('input, select, textarea') ? field : field?.querySelector<HTMLElement>('input')
  input?.focus()
}
