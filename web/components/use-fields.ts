// useFields: values of a form, whose fields show the errors of their rules and those of the server.
import { useForm, type UseFormInput } from '@mantine/form'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { RequestError } from '../api/client.ts'

/** A request under way, or how it failed. */
export interface ActionState {
  readonly isPending: boolean
  readonly error: Error | null
}

/** What a field component of this app takes from its form. */
export interface FieldProps {
  /** Its name in the form. */
  readonly 'data-path'?: string
  readonly label?: ReactNode
  readonly error?: ReactNode
}

interface FieldsInput<Values> extends Pick<UseFormInput<Values>, 'initialValues' | 'validate'> {
  /** Of the fields on the screen: the server calls them by their names in the API. */
  readonly labels: Readonly<Partial<Record<keyof Values, string>>>
  readonly action: ActionState
}

export type FieldsForm<Values extends object> = ReturnType<typeof useFields<Values>>

export function useFields<Values extends object>({ labels, action, ...input }: FieldsInput<Values>) {
  const form = useForm<Values>(input)
  const rejected = errorsOfFields(action.error, labels)
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
  // Once, when the reply comes: the labels are others at each rendering.
  const focusRejected = useEffectEvent(() => focusFirst(rejected))
  useEffect(() => focusRejected(), [action.error])
  return {
    values: form.values,
    setValues: form.setValues,
    /** The properties of an input. */
    field: (name: keyof Values & string) => ({
      ...form.getInputProps(name),
      label: labels[name],
      error: form.errors[name] ?? rejected[name],
    }),
    focus: (name: keyof Values & string) => form.getInputNode(name)?.focus(),
    /** Sends the values if they are valid; otherwise the focus goes to the first field that is not. */
    onSubmit: (send: (values: Values) => void) => form.onSubmit(send, focusFirst),
    /** Without an error that a field shows. */
    action: { ...action, error: Object.keys(rejected).length === 0 ? action.error : null },
  }
}

/** The messages by field; a message begins with the name of its field, for which the label is shown. */
export function errorsOfFields(
  error: Error | null,
  labels: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  if (!(error instanceof RequestError)) return {}
  return Object.fromEntries(
    error.details.flatMap(({ target, message }) => {
      const label = labels[target ?? '']
      return target === null || label === undefined ? [] : [[target, message.replace(target, label)]]
    }),
  )
}
