// PublicForm: fields of a public page, below the error that none of them shows.
import { Button } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { FormError } from '../../components/FormError.tsx'

interface PublicFormProps {
  /** Label of the button. */
  readonly submit: string
  readonly problem: string | null
  readonly isPending: boolean
  readonly onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  readonly children: ReactNode
}

export function PublicForm({ submit, problem, isPending, onSubmit, children }: PublicFormProps) {
  return (
    <form noValidate onSubmit={onSubmit}>
      <FormError text={problem} />
      {children}
      <Button type="submit" size="md" loading={isPending} fullWidth>
        {submit}
      </Button>
    </form>
  )
}
